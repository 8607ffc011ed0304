import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { columnsOfText, JOINED, joinWrapped, wrap } from '#src/cli/output/results/wrap.js';

function wrapped(line: string, width: number): string[] {
  return wrap(line, width).map(({ start, end }) => line.slice(start, end));
}

test('a line is wrapped at whitespace into rows of at most the width', () => {
  expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapped('one two', 7)).toEqual(['one two']);
  expect(wrapped('', 7)).toEqual(['']);
  expect(wrapped('  ', 7)).toEqual(['']);
});

test.each([
  [0, 100],
  [10, 20],
  [30, 30],
  [90, 90],
  [200, 100],
])('in a terminal of %i columns, rows have %i', (columns, expected) => {
  const { columns: before } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { columns: before }));
  Object.assign(process.stdout, { columns });
  expect(columnsOfText()).toBe(expected);
});

test('a word longer than a row is split between graphemes, never inside one', () => {
  expect(wrapped('see abcdefghij now', 4)).toEqual(['see', 'abcd', 'efgh', 'ij', 'now']);
  expect(wrapped('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4)).toEqual(['👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧']);
  expect(wrapped('e\u0301e\u0301e\u0301', 2)).toEqual(['e\u0301e\u0301', 'e\u0301']);
});

test('characters of a script without spaces are two columns wide and wrap anywhere', () => {
  expect(wrapped('鍵は金庫にあります', 8)).toEqual(['鍵は金庫', 'にありま', 'す']);
});

test('rows are in order, contain all but whitespace, and neither begin nor end with it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 30 }), (line, width) => {
      const rows = wrap(line, width);
      const gaps = [0, ...rows.map(({ end }) => end)].map((end, i) => line.slice(end, rows[i]?.start ?? line.length));
      expect(gaps.join('').trim()).toBe('');
      for (const { start, end } of rows) expect(line.slice(start, end)).toBe(line.slice(start, end).trim());
    }),
  );
});

const joined = (text: string) => joinWrapped(text, 20).replaceAll(JOINED, '');

test('lines of a paragraph, a quote or an item are joined where one of them is wider than the rows', () => {
  expect(joined('one two three four five\nsix')).toBe('one two three four five six');
  expect(joined('one\n\ntwo three four five six\nseven')).toBe('one\n\ntwo three four five six seven');
  expect(joined('> one two three four five\r\n> six\r\n>\r\n> seven\r\n> eight')).toBe(
    '> one two three four five six\r\n>\r\n> seven\r\n> eight',
  );
  expect(joined('- one two three four five\n  six\n- seven\n  eight')).toBe(
    '- one two three four five six\n- seven eight',
  );
});

test.each([
  ['lines that fit', 'one two three four\nfive'],
  ['hard breaks', 'one two three four five  \nsix\\\nseven'],
  ['fenced code', '```\none two three four five\nsix\n```'],
  ['a passage that ends in code', 'one two three four five\nsix\n\n```sh\nseven'],
  ['indented code', '    one two three four five\n    six'],
  ['code that is not marked', 'const one = [two, three, four];\nconst five = 6;'],
  ['tables', 'one | two | three four five\n--- | --- | ---\nsix | seven | eight'],
  ['headings', '## One two three four five\nsix'],
  ['underlined headings', 'One two three four five\n---\n'],
  ['items', '1. one two three four five\n2. six'],
  ['quotes in quotes', '> one two three four five\n> > six'],
])('left unchanged: %s', (_, text) => {
  expect(joined(text)).toBe(text);
});

test('joined text is as long as before, with the same words', () => {
  const piece = fc.constantFrom('one', 'two three', ' ', '\n', '\r\n', '> ', '- ', '|', '\t', '  ', '#', '1. ', '`');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const result = joinWrapped(text, 10);
      expect(result.length).toBe(text.length);
      expect(result.match(/\w+/g)).toEqual(text.match(/\w+/g));
    }),
  );
});
