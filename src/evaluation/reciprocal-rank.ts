/**
 * RR@k of a ranking given as whether each of its results is right, best first, 0..1: one over the rank of the first that
 * is, 0 where none of the first k is. Its mean over queries is MRR@k. Voorhees 1999, "The TREC-8 Question Answering
 * Track Report".
 */
export function reciprocalRank(right: readonly boolean[], { k }: { readonly k: number }): number {
  const first = right.slice(0, k).indexOf(true);
  return first < 0 ? 0 : 1 / (first + 1);
}
