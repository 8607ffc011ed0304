import type { RankedPassage } from 'waymark/evaluation';

/**
 * Recall@k of an approximate ranking, 0..1: how many of the exact ranking's first k passages are among its own first k.
 * 1 where the exact one is empty. Aumüller, Bernhardsson & Faithfull 2020, "ANN-Benchmarks", Information Systems 87.
 */
export function agreement(
  approximate: readonly Pick<RankedPassage, 'id'>[],
  exact: readonly Pick<RankedPassage, 'id'>[],
  { k }: { readonly k: number },
): number {
  const wanted = exact.slice(0, k);
  const found = new Set(approximate.slice(0, k).map(({ id }) => id));
  return wanted.length === 0 ? 1 : wanted.filter(({ id }) => found.has(id)).length / wanted.length;
}
