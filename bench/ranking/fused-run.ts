import type { Explanation, SearchEngine } from 'waymark';
import { rankedPassage } from 'waymark/evaluation';
import { minMax } from './min-max.js';
import { reciprocalRankFusion } from './reciprocal-rank-fusion.js';
import type { Run } from './run.js';

/** A score for each candidate, from what both sides know of all of them. */
export type Fusion = (candidates: readonly Explanation[]) => readonly number[];

/** As many hits as the engine gives at most: those that its own fusion leaves out of up to 2,000 candidates are far down. */
const CANDIDATES = 1000;

/** The engine's candidates in another order. Equal scores stay in the engine's own, which is to their favour. */
export function fusedRun(engine: SearchEngine, fusion: Fusion): Run {
  return async (query, depth) => {
    const hits = await engine.search(query, { limit: CANDIDATES, mode: 'hybrid', explain: true });
    const scores = fusion(hits.map(explanationOf));
    return hits
      .map((hit, i) => ({ ...rankedPassage(hit), score: scores[i] ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, depth);
  };
}

export const byReciprocalRank: Fusion = (candidates) =>
  candidates.map(({ dense, lexical }) => reciprocalRankFusion([dense?.rank, lexical?.rank]));

/** Half of each side's scores, stretched over the candidates of a query. */
export const byMinMax: Fusion = (candidates) => {
  const cosines = minMax(candidates.map(({ dense }) => dense?.cosine));
  const bm25s = minMax(candidates.map(({ lexical }) => lexical?.bm25));
  return cosines.map((cosine, i) => (cosine + (bm25s[i] ?? 0)) / 2);
};

/** The engine's own sum without one of its addends. */
export function without(part: string): Fusion {
  return (candidates) =>
    candidates.map(({ parts, sum }) => {
      const addend = parts[part];
      if (addend === undefined) throw new Error(`A score has no part "${part}", but ${Object.keys(parts).join(', ')}.`);
      return sum - addend;
    });
}

export function explanationOf({ explanation }: { readonly explanation?: Explanation }): Explanation {
  if (!explanation) throw new Error('A hit was not explained.');
  return explanation;
}
