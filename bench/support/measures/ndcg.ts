/** Relevance of documents to one query, by id. Above 0 is relevant; a document that is missing is not. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * nDCG@k of a ranking without duplicates, 0..1: the relevance of each of the first k documents over log2(rank + 1), as
 * a share of that of the ideal ranking. Gains are linear, as in trec_eval and BEIR. Järvelin & Kekäläinen 2002,
 * "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4).
 */
export function ndcg(ranking: readonly string[], judgements: Judgements, { k }: { readonly k: number }): number {
  const ideal = [...judgements.values()].sort((a, b) => b - a);
  const best = discounted(ideal.slice(0, k));
  return best === 0 ? 0 : discounted(ranking.slice(0, k).map((id) => judgements.get(id) ?? 0)) / best;
}

function discounted(relevances: readonly number[]): number {
  return relevances.reduce((sum, relevance, i) => sum + Math.max(0, relevance) / Math.log2(i + 2), 0);
}
