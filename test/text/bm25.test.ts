import { expect, test } from 'vitest';
import { inverseFrequency } from '#src/text/bm25.js';

test('a term of more passages than have postings weighs as one that all of them have', () => {
  expect(inverseFrequency(5, 2)).toBe(inverseFrequency(2, 2));
  expect(inverseFrequency(5, 0)).toBe(1e-6);
});
