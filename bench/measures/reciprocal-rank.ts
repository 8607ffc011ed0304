import type { Judgements } from './ndcg.js';

/**
 * RR@k of a ranking, 0..1: one over the rank of the first relevant document, 0 where it is not among the first k. Its
 * mean over queries is MRR@k. Voorhees 1999, "The TREC-8 Question Answering Track Report".
 */
export function reciprocalRank(
  ranking: readonly string[],
  judgements: Judgements,
  { k }: { readonly k: number },
): number {
  return reciprocalRankOf(
    ranking.map((id) => (judgements.get(id) ?? 0) > 0),
    { k },
  );
}

/** The same of a ranking given as whether each of its results is right. */
export function reciprocalRankOf(right: readonly boolean[], { k }: { readonly k: number }): number {
  const first = right.slice(0, k).indexOf(true);
  return first < 0 ? 0 : 1 / (first + 1);
}
