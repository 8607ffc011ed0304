import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGES } from '../../scripts/reference.js';

const FOLDER = new URL('../../docs/reference/', import.meta.url);

test.each(Object.entries(PAGES))('docs/reference/%s is current: "npm run docs" writes it', (name, page) => {
  expect(readFileSync(new URL(name, FOLDER), 'utf8')).toBe(page());
});

test('docs/reference/ has no page that is not generated', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(PAGES));
});
