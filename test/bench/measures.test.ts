import { describe, expect, it } from 'vitest';
import { agreement } from '../../bench/measures/agreement.js';
import { ndcg } from '../../bench/measures/ndcg.js';
import { recall } from '../../bench/measures/recall.js';

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

describe('agreement', () => {
  const ids = (...names: string[]) => names.map((id) => ({ id }));

  it('is the share of the exact passages that are found, in any order', () => {
    expect(agreement(ids('b', 'a', 'x'), ids('a', 'b', 'c'), { k: 3 })).toBeCloseTo(2 / 3, 10);
    expect(agreement(ids('b', 'a'), ids('a', 'b'), { k: 1 })).toBe(0);
    expect(agreement([], ids('a'), { k: 10 })).toBe(0);
    expect(agreement([], [], { k: 10 })).toBe(1);
  });
});
