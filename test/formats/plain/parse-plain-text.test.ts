import { expect, test } from 'vitest';
import parsePlainText from '#src/formats/plain/parse-plain-text.js';
import { options } from '../markdown/counting.js';

test('plain text is cut at lines; what looks like a heading is text', () => {
  const { passages, ...rest } = parsePlainText('# A\n\na b\n\nc d', options({ budget: 4 }));
  expect(passages.map(({ text, breadcrumb }) => [text, breadcrumb])).toEqual([
    ['# A\n\na b', []],
    ['c d', []],
  ]);
  expect(rest).toEqual({ title: undefined, tags: {}, metadata: {}, warnings: [] });
});

test('whitespace alone gives no passages', () => {
  expect(parsePlainText(' \n', options()).passages).toEqual([]);
});
