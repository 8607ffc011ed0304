import { describe, expect, it } from 'vitest';
import { agreement } from '../../bench/measures/agreement.js';
import { auroc } from '../../bench/measures/auroc.js';
import { ndcg } from '../../bench/measures/ndcg.js';
import { quantile } from '../../bench/measures/quantile.js';
import { recall } from '../../bench/measures/recall.js';
import { reciprocalRank } from '../../bench/measures/reciprocal-rank.js';

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
    // Gained: 1/log2(2) + 0/log2(3) + 3/log2(4) = 2.5. Best: 3/1 + 2/1.58496 + 1/2 = 4.76186.
    expect(ndcg(['fair', 'bad', 'best'], GRADED, { k: 10 })).toBeCloseTo(2.5 / 4.76186, 5);
  });

  it('cuts the ranking and the best ranking at k', () => {
    // Gained: 2/1. Best of one: 3/1.
    expect(ndcg(['good', 'best'], GRADED, { k: 1 })).toBeCloseTo(2 / 3, 10);
  });

  it('is 0 where nothing is found, nothing is relevant, or a judgement is negative', () => {
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

describe('Recall', () => {
  it('counts the relevant documents among the first k', () => {
    expect(recall(['c', 'a', 'b'], TWO, { k: 2 })).toBe(0.5);
    expect(recall(['c', 'a', 'b'], TWO, { k: 3 })).toBe(1);
  });

  it('is 0 where nothing is found or nothing is relevant', () => {
    expect(recall([], TWO, { k: 5 })).toBe(0);
    expect(recall(['c'], new Map([['c', 0]]), { k: 5 })).toBe(0);
  });
});

describe('RR', () => {
  it('is one over the rank of the first relevant document, if that is among the first k', () => {
    expect(reciprocalRank(['a', 'b'], TWO, { k: 10 })).toBe(1);
    expect(reciprocalRank(['c', 'x', 'b', 'a'], TWO, { k: 10 })).toBe(1 / 3);
    expect(reciprocalRank(['c', 'x', 'b'], TWO, { k: 2 })).toBe(0);
    expect(reciprocalRank([], TWO, { k: 10 })).toBe(0);
  });
});

describe('AUROC', () => {
  it('is the share of pairs in which the positive is greater, equal ones half', () => {
    // 0.9 beats both, 0.5 beats 0.1 and equals 0.5: 3.5 of 4.
    expect(auroc([0.9, 0.5], [0.5, 0.1])).toBe(0.875);
    expect(auroc([1, 2], [-1, 0])).toBe(1);
    expect(auroc([0], [1])).toBe(0);
    expect(auroc([1, 1], [1])).toBe(0.5);
  });

  it('is not defined without positives or without negatives', () => {
    expect([auroc([], [1]), auroc([1], [])]).toEqual([undefined, undefined]);
  });
});

describe('agreement', () => {
  const ids = (...names: string[]) => names.map((id) => ({ id }));

  it('is the share of the exact passages that are found, in any order', () => {
    expect(agreement(ids('b', 'a', 'x'), ids('a', 'b', 'c'), { k: 3 })).toBeCloseTo(2 / 3, 10);
    expect(agreement(ids('b', 'a'), ids('a', 'b'), { k: 1 })).toBe(0);
    expect(agreement([], ids('a'), { k: 10 })).toBe(0);
    expect(agreement([], [], { k: 10 })).toBe(1);
  });
});

describe('quantile', () => {
  it('interpolates between two values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10, 20], 0.95)).toBeCloseTo(19.5, 10);
    expect([quantile([3, 1, 2], 0), quantile([3, 1, 2], 1), quantile([7], 0.95)]).toEqual([1, 3, 7]);
  });

  it('needs a value', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});
