import { describe, expect, it } from 'vitest';
import type { Explanation } from 'waymark';
import { byMinMax, byReciprocalRank, without } from '../../bench/ranking/fused-run.js';
import { minMax } from '../../bench/ranking/min-max.js';
import { reciprocalRankFusion } from '../../bench/ranking/reciprocal-rank-fusion.js';

describe('reciprocal rank fusion', () => {
  it('adds 1 / (k + rank) of every list that has the passage', () => {
    expect(reciprocalRankFusion([1, 2])).toBe(1 / 61 + 1 / 62);
    expect(reciprocalRankFusion([undefined, 3])).toBe(1 / 63);
    expect(reciprocalRankFusion([1, 1], { k: 0 })).toBe(2);
    expect(reciprocalRankFusion([undefined, undefined])).toBe(0);
  });
});

describe('min-max', () => {
  it('makes the least 0 and the greatest 1', () => {
    expect(minMax([2, 4, 3])).toEqual([0, 1, 0.5]);
    expect(minMax([-1, 0])).toEqual([0, 1]);
  });

  it('is 0 of what is missing, and of values that are all equal', () => {
    expect(minMax([5, undefined, 6])).toEqual([0, 0, 1]);
    expect(minMax([3, 3])).toEqual([0, 0]);
    expect(minMax([undefined])).toEqual([0]);
    expect(minMax([])).toEqual([]);
  });
});

/** What both sides know of three passages: the second was found by meaning alone, the third is not embedded. */
const CANDIDATES: readonly Explanation[] = [
  {
    dense: { cosine: 0.75, rank: 2 },
    lexical: { bm25: 8, share: 0.5, rank: 1, terms: ['keys'] },
    parts: { dense: 0.75, length: 0.25 },
    sum: 1,
  },
  {
    dense: { cosine: 1, rank: 1 },
    lexical: { bm25: 0, share: 0, terms: [] },
    parts: { dense: 1, length: 0.5 },
    sum: 1.5,
  },
  {
    dense: {},
    lexical: { bm25: 4, share: 0.25, rank: 2, terms: ['keys'] },
    parts: { dense: 0.5, length: 0 },
    sum: 0.5,
  },
];

describe('the candidates of both sides', () => {
  it('are fused by their ranks', () => {
    expect(byReciprocalRank(CANDIDATES)).toEqual([1 / 62 + 1 / 61, 1 / 61, 1 / 62]);
  });

  it('are fused by their scores, each side from 0 to 1', () => {
    expect(byMinMax(CANDIDATES)).toEqual([0.5, 0.5, 0.25]);
  });

  it('are ordered by the sum without one of its parts, which it must have', () => {
    expect(without('length')(CANDIDATES)).toEqual([0.75, 1, 0.5]);
    expect(() => without('depth')(CANDIDATES)).toThrow('A score has no part "depth", but dense, length.');
  });
});
