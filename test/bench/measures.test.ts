import { describe, expect, it } from 'vitest';
import { documentRecall } from '../../bench/support/measures/document-recall.js';
import { ndcg } from '../../bench/support/measures/ndcg.js';
import { neighbourRecall } from '../../bench/support/measures/neighbour-recall.js';

const GRADED = new Map([
  ['best', 3],
  ['good', 2],
  ['fair', 1],
  ['bad', 0],
]);
const TWO = new Map([
  ['a', 1],
  ['b', 1],
  ['c', 0],
]);

describe('nDCG', () => {
  it('is 1 for the best ranking, whatever follows', () => {
    expect(ndcg(['best', 'good', 'fair', 'bad', 'unknown'], GRADED, { k: 10 })).toBe(1);
  });

  it('divides each gain by log2(rank + 1)', () => {
    // Ranking: 1/log2(2) + 0/log2(3) + 3/log2(4) = 2.5. Ideal: 3/1 + 2/1.58496 + 1/2 = 4.76186.
    expect(ndcg(['fair', 'bad', 'best'], GRADED, { k: 10 })).toBeCloseTo(2.5 / 4.76186, 5);
  });

  it('cuts the ranking and the ideal ranking at k', () => {
    // Ranking: 2/1. Ideal: 3/1.
    expect(ndcg(['good', 'best'], GRADED, { k: 1 })).toBeCloseTo(2 / 3, 10);
  });

  it('is 0 if nothing is found, nothing is relevant, or the judgement is negative', () => {
    expect(ndcg([], GRADED, { k: 10 })).toBe(0);
    expect(ndcg(['a'], new Map([['a', 0]]), { k: 10 })).toBe(0);
    expect(
      ndcg(
        ['spam'],
        new Map([
          ['spam', -1],
          ['a', 1],
        ]),
        { k: 10 },
      ),
    ).toBe(0);
  });
});

describe('recall of documents', () => {
  it('counts the relevant documents among the first k', () => {
    expect(documentRecall(['c', 'a', 'b'], TWO, { k: 2 })).toBe(0.5);
    expect(documentRecall(['c', 'a', 'b'], TWO, { k: 3 })).toBe(1);
  });

  it('is 0 if nothing is found or nothing is relevant', () => {
    expect(documentRecall([], TWO, { k: 5 })).toBe(0);
    expect(documentRecall(['c'], new Map([['c', 0]]), { k: 5 })).toBe(0);
  });
});

describe('neighbour recall', () => {
  it('is the share of the exact neighbours that were found, in any order', () => {
    expect(neighbourRecall(['b', 'a', 'x'], ['a', 'b', 'c'])).toBeCloseTo(2 / 3, 10);
    expect(neighbourRecall([7], [3])).toBe(0);
    expect(neighbourRecall([], [3])).toBe(0);
  });

  it('is 1 without exact neighbours', () => {
    expect(neighbourRecall([], [])).toBe(1);
    expect(neighbourRecall([7], [])).toBe(1);
  });
});
