import { expect, test } from 'vitest';
import { Lines } from '#src/formats/cutting/lines.js';

test('lines end with LF, CRLF or a lone CR', () => {
  expect([...new Lines('a\nb\r\nc\rd\n\r\n').starts]).toEqual([0, 2, 5, 7, 9, 11]);
});

test('an offset is on the last line that starts at or before it; a line ending belongs to the line it ends', () => {
  const lines = new Lines('ab\r\n\r\nc');
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((offset) => lines.lineOf(offset))).toEqual([1, 1, 1, 1, 2, 2, 3, 3]);
  expect([0, 3, 4, 5, 6, 7].map((offset) => lines.startOf(offset))).toEqual([0, 0, 4, 4, 6, 6]);
});

test('the line starts within a range exclude its start and its end', () => {
  const lines = new Lines('a\nb\nc\nd');
  expect(lines.startsWithin(0, 4)).toEqual([2]);
  expect(lines.startsWithin(1, 7)).toEqual([2, 4, 6]);
  expect(lines.startsWithin(2, 4)).toEqual([]);
});

test('a line separator does not end a line, as in markdown', () => {
  expect([...new Lines('a\u2028b\vc\fd').starts]).toEqual([0]);
});

test('an empty text has one line', () => {
  expect(new Lines('').lineOf(0)).toBe(1);
});
