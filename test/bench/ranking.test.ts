import { describe, expect, it } from 'vitest';
import type { Explanation } from 'waymark';
import { byMinMax, byReciprocalRank, without } from '../../bench/support/ranking/fusion.js';
import { rankDocuments } from '../../bench/support/ranking/rank-documents.js';
import { scoreByWindows } from '../../bench/support/ranking/window-ranker.js';

/** Three passages: both retrievers found the first, the dense one alone the second, and the third has no embedding. */
const CANDIDATES: readonly Explanation[] = [
  {
    dense: { cosine: 0.75, rank: 2 },
    lexical: { bm25: 8, share: 0.5, rarity: 1, rank: 1, terms: ['keys'] },
    parts: { dense: 0.75, length: 0.25 },
    sum: 1,
    lead: 0,
    contrast: 0.35,
  },
  {
    dense: { cosine: 1, rank: 1 },
    lexical: { bm25: 0, share: 0, rarity: 0, terms: [] },
    parts: { dense: 1, length: 0.5 },
    sum: 1.5,
    lead: 0,
    contrast: 0.35,
  },
  {
    dense: {},
    lexical: { bm25: 4, share: 0.25, rarity: 1, rank: 2, terms: ['keys'] },
    parts: { dense: 0.5, length: 0 },
    sum: 0.5,
    lead: 0,
    contrast: 0.35,
  },
];

describe('candidates of both retrievers', () => {
  it('are fused by their reciprocal ranks', () => {
    expect(byReciprocalRank({ k: 60 })(CANDIDATES)).toEqual([1 / 62 + 1 / 61, 1 / 61, 1 / 62]);
    expect(byReciprocalRank({ k: 0 })(CANDIDATES)).toEqual([1.5, 1, 0.5]);
  });

  it('are fused by the mean of their scores, each scaled to 0..1', () => {
    expect(byMinMax(CANDIDATES)).toEqual([0.5, 0.5, 0.25]);
  });

  it('score 0 by min-max if all scores are equal, or there are none', () => {
    const [first] = CANDIDATES;
    expect(byMinMax(first ? [first, first] : [])).toEqual([0, 0]);
    expect(byMinMax([])).toEqual([]);
  });

  it('are scored by the sum without one of its parts, which must exist', () => {
    expect(without('length')(CANDIDATES)).toEqual([0.75, 1, 0.5]);
    expect(() => without('prose')(CANDIDATES)).toThrow('A score has dense, length, but no "prose".');
  });
});

/** `a 3-5 0.5`: lines 3 to 5 of file a, with a score. */
function ranked(...texts: string[]) {
  return texts.map((text) => {
    const [, file = '', startLine, endLine, score] = /^(\S+) (\d+)-(\d+) (\S+)$/.exec(text) ?? [];
    return { file, startLine: Number(startLine), endLine: Number(endLine), score: Number(score) };
  });
}

describe('small passages with windows', () => {
  it('are ranked by the weighted mean of both scores', () => {
    const passages = ranked('a 1-2 0.5', 'b 1-2 0.25');
    const windows = ranked('b 1-9 1', 'a 1-9 0.25');
    expect(scoreByWindows(passages, { windows, weight: 0.5 })).toEqual(ranked('b 1-2 0.625', 'a 1-2 0.375'));
    expect(scoreByWindows(passages, { windows, weight: 0 })).toEqual(passages);
  });

  it('take the best window of their file that shares a line with them', () => {
    const windows = ranked('a 1-4 0.25', 'a 5-9 0.75', 'a 10-12 1', 'b 1-99 1');
    expect(scoreByWindows(ranked('a 4-6 0.25'), { windows, weight: 0.5 })).toEqual(ranked('a 4-6 0.5'));
  });

  it('take the least score of all windows if they have none, and 0 if there are none', () => {
    const windows = ranked('a 1-4 0.75', 'a 5-9 0.25');
    expect(scoreByWindows(ranked('b 1-1 0.75'), { windows, weight: 0.5 })).toEqual(ranked('b 1-1 0.5'));
    expect(scoreByWindows(ranked('b 1-1 0.5'), { windows: [], weight: 0.5 })).toEqual(ranked('b 1-1 0.25'));
  });
});

it('documents are ranked by their best passage, each once', () => {
  const passage = (file: string, score: number) => ({ id: `${file} ${score}`, file, score, startLine: 1, endLine: 1 });
  const passages = [passage('b', 0.9), passage('a', 0.8), passage('b', 0.7), passage('c', 0.6)];
  const idOf = (file: string) => file.toUpperCase();
  expect(rankDocuments(passages, { idOf, limit: 2 })).toEqual([
    { id: 'B', score: 0.9 },
    { id: 'A', score: 0.8 },
  ]);
  expect(rankDocuments(passages, { idOf, limit: 9 }).map(({ id }) => id)).toEqual(['B', 'A', 'C']);
});
