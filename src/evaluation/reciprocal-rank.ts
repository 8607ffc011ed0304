/**
 * RR@k, 0..1: one over the rank of the first relevant result, or 0 if none of the first k is relevant. `relevant` says
 * of each result, best first, whether it is. The mean over queries is MRR@k. Voorhees 1999, "The TREC-8 Question
 * Answering Track Report".
 */
export function reciprocalRank(relevant: readonly boolean[], { k }: { readonly k: number }): number {
  const first = relevant.slice(0, k).indexOf(true);
  return first < 0 ? 0 : 1 / (first + 1);
}
