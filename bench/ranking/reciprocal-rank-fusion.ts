/**
 * The score of a passage from its ranks in several lists, each from 1, undefined where a list does not have it: the sum of
 * 1 / (k + rank). Cormack, Clarke & Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet and individual rank
 * learning methods", SIGIR; k is 60 there.
 */
export function reciprocalRankFusion(ranks: readonly (number | undefined)[], { k = 60 }: { readonly k?: number } = {}) {
  return ranks.reduce<number>((sum, rank) => (rank === undefined ? sum : sum + 1 / (k + rank)), 0);
}
