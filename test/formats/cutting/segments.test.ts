import { expect, test } from 'vitest';
import { segmentsOf } from '#src/formats/cutting/segments.js';

test('sentences end with their space; an abbreviation in lower case goes on', () => {
  expect(segmentsOf('One two. Three? 四五。六。 Use e.g. this.', 'sentence')).toEqual([
    'One two. ',
    'Three? ',
    '四五。',
    '六。 ',
    'Use e.g. this.',
  ]);
});

test('words keep their apostrophes and points; space and marks are words of their own', () => {
  expect(segmentsOf("it's 3.5, 我们学习", 'word')).toEqual(["it's", ' ', '3.5', ',', ' ', '我们', '学习']);
});

test('a grapheme is what a reader takes for one letter', () => {
  expect(segmentsOf('e\u0301👩‍👩‍👧🇩🇪\r\nx', 'grapheme')).toEqual(['e\u0301', '👩‍👩‍👧', '🇩🇪', '\r\n', 'x']);
});

test.each(['sentence', 'word', 'grapheme'] as const)(
  'a long text has the %s borders that it has in one piece',
  (granularity) => {
    const text = "It's 3.5 e\u0301! 👩‍👩‍👧🇩🇪🇫🇷 e.g. this?  日本語の文章です。And ".repeat(40);
    const whole = Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment);
    expect(segmentsOf(text, granularity)).toEqual(whole);
  },
);

test('a segment longer than is looked at in one go is one segment', () => {
  expect(segmentsOf(`a ${'x'.repeat(5000)} b`, 'word').map(({ length }) => length)).toEqual([1, 1, 5000, 1, 1]);
});

test('a long text takes time by its length, not by the square of it', () => {
  expect(segmentsOf('- '.repeat(100_000), 'word')).toHaveLength(200_000);
}, 5000);
