import { expect, test } from 'vitest';
import { segmentsOf } from '#src/formats/cutting/segments.js';

test('sentences end with their whitespace; a lower-case abbreviation does not end one', () => {
  expect(segmentsOf('One two. Three? 四五。六。 Use e.g. this.', 'sentence')).toEqual([
    'One two. ',
    'Three? ',
    '四五。',
    '六。 ',
    'Use e.g. this.',
  ]);
});

test('words keep their apostrophes and points; whitespace and punctuation are words of their own', () => {
  expect(segmentsOf("it's 3.5, 我们学习", 'word')).toEqual(["it's", ' ', '3.5', ',', ' ', '我们', '学习']);
});

test('a grapheme is what a reader sees as one character', () => {
  expect(segmentsOf('e\u0301👩‍👩‍👧🇩🇪\r\nx', 'grapheme')).toEqual(['e\u0301', '👩‍👩‍👧', '🇩🇪', '\r\n', 'x']);
});

test.each(['sentence', 'word', 'grapheme'] as const)(
  'a long text has the same %s boundaries as if it were segmented in one piece',
  (granularity) => {
    const text = "It's 3.5 e\u0301! 👩‍👩‍👧🇩🇪🇫🇷 e.g. this?  日本語の文章です。And ".repeat(40);
    const whole = Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment);
    expect(segmentsOf(text, granularity)).toEqual(whole);
  },
);

test('a segment longer than the window is one segment', () => {
  expect(segmentsOf(`a ${'x'.repeat(5000)} b`, 'word').map(({ length }) => length)).toEqual([1, 1, 5000, 1, 1]);
});

// In one piece Intl.Segmenter takes time and memory that are quadratic in the text: this one exhausts the heap.
test('a long text is segmented in linear time', () => {
  expect(segmentsOf('- '.repeat(100_000), 'word')).toHaveLength(200_000);
});
