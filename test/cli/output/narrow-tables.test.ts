import { expect, test } from 'vitest';
import { narrowTables } from '#src/cli/output/results/narrow-tables.js';
import { JOINED } from '#src/cli/output/results/wrap.js';

const narrow = (text: string) => narrowTables(text, 20).replaceAll(JOINED, '');

test('cells lose their padding if a row does not fit', () => {
  const table =
    'One.\n\n> | a       | b     |\r\n> |:------- | -----:|\r\n> | c  d    | e     |\n> |     `f  g` \\|  h | i\t \r\n\nf  g | h';
  expect(narrow(table)).toBe(
    'One.\n\n> | a | b |\r\n> |:--- | ---:|\r\n> | c  d | e |\n> | `f  g` \\|  h | i\t\r\n\nf  g | h',
  );
  expect(narrowTables(table, 20)).toHaveLength(table.length);
});

test.each([
  ['a table that fits', '| a    | b    |\n|------|------|\n| c    | d    |'],
  ['rows without a header', '| aaaaaaaaaaaa    | b    |\n| c    | d    |'],
  ['code', '```\n| aaaaaaaaaaaa    | b    |\n|------|------|\n```'],
])('left unchanged: %s', (_, text) => {
  expect(narrow(text)).toBe(text);
});

test('a line of blanks is read in linear time', () => {
  const text = `a | b\n${' '.repeat(200_000)}x\n|${' '.repeat(200_000)}-x`;
  expect(narrow(text)).toBe(text);
});
