import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrap } from '#src/cli/output/wrap.js';

function wrapped(line: string, width: number): string[] {
  return wrap(line, width).map(({ start, end }) => line.slice(start, end));
}

test('a line is wrapped at whitespace into rows of at most the width', () => {
  expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapped('one two', 7)).toEqual(['one two']);
  expect(wrapped('', 7)).toEqual(['']);
  expect(wrapped('  ', 7)).toEqual(['']);
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
