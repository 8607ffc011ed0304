import type { Judgements } from './ndcg.js';

/**
 * Recall@k of a ranking without duplicates, 0..1: the share of the relevant documents among the first k; 0 if none is
 * relevant. `recall` of trec_eval, `R@k` of ir_measures.
 */
export function documentRecall(
  ranking: readonly string[],
  judgements: Judgements,
  { k }: { readonly k: number },
): number {
  const isRelevant = (id: string) => (judgements.get(id) ?? 0) > 0;
  const relevant = [...judgements.keys()].filter(isRelevant).length;
  return relevant === 0 ? 0 : ranking.slice(0, k).filter(isRelevant).length / relevant;
}
