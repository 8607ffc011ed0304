import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reference } from '../../scripts/reference.js';

test('docs/reference.md is current: "npm run docs" writes it', () => {
  const committed = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');
  expect(committed).toBe(reference());
});
