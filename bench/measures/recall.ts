import type { Judgements } from './ndcg.js';

/**
 * Recall@k of a ranking that names a document once, 0..1: how many of the relevant documents are among the first k; 0
 * where none is relevant. As in trec_eval (`recall`) and ir_measures (`R@k`).
 */
export function recall(ranking: readonly string[], judgements: Judgements, { k }: { readonly k: number }): number {
  const isRelevant = (id: string) => (judgements.get(id) ?? 0) > 0;
  const relevant = [...judgements.keys()].filter(isRelevant).length;
  return relevant === 0 ? 0 : ranking.slice(0, k).filter(isRelevant).length / relevant;
}
