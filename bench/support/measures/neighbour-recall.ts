/**
 * Recall of an approximate nearest-neighbour search, 0..1: the share of the exact neighbours that it found; 1 if there
 * are none. Aumüller, Bernhardsson & Faithfull 2020, "ANN-Benchmarks", Information Systems 87.
 */
export function neighbourRecall<Id>(found: readonly Id[], exact: readonly Id[]): number {
  const ids = new Set(found);
  return exact.length === 0 ? 1 : exact.filter((id) => ids.has(id)).length / exact.length;
}
