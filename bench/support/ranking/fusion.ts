import type { Addends, Explanation } from 'waymark';

/** Scores of candidates from what both retrievers know of all of them. */
export type Fusion = (candidates: readonly Explanation[]) => readonly number[];

/**
 * Reciprocal rank fusion: the sum of 1 / (k + rank) over the retrievers that found a passage. Cormack, Clarke &
 * Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR, with
 * k = 60.
 */
export function byReciprocalRank({ k }: { readonly k: number }): Fusion {
  const addend = (rank: number | undefined) => (rank === undefined ? 0 : 1 / (k + rank));
  return (candidates) => candidates.map(({ dense, lexical }) => addend(dense?.rank) + addend(lexical?.rank));
}

/** The mean of both retrievers' scores, each scaled to 0..1 over the candidates of a query. */
export const byMinMax: Fusion = (candidates) => {
  const cosines = minMax(candidates.map(({ dense }) => dense?.cosine));
  const bm25s = minMax(candidates.map(({ lexical }) => lexical?.bm25));
  return cosines.map((cosine, i) => (cosine + (bm25s[i] ?? 0)) / 2);
};

/** The engine's own sum without one of its addends. */
export function without(part: keyof Addends): Fusion {
  return (candidates) =>
    candidates.map(({ parts, sum }) => {
      const addend = parts[part];
      if (addend === undefined) throw new Error(`A score has ${Object.keys(parts).join(', ')}, but no "${part}".`);
      return sum - addend;
    });
}

/**
 * Values scaled so that the least is 0 and the greatest 1. A missing value counts as the least; equal values are all 0.
 * Lee 1997, "Analyses of multiple evidence combination", SIGIR.
 */
function minMax(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined);
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const range = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least;
  return values.map((value) => (value === undefined || range === 0 ? 0 : (value - least) / range));
}
