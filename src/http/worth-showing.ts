/** A result with a lower score is noise beside one with a higher score. */
const NOISE = 0.01;

/**
 * The results that a display shows: without those that score next to nothing, unless all of them do or a least score
 * was asked for. Operations and formats for programs have all results.
 */
export function worthShowing<T extends { readonly score: number }>(
  results: readonly T[],
  { minScore }: { readonly minScore?: unknown } = {},
): readonly T[] {
  if (minScore !== undefined) return results;
  const shown = results.filter(({ score }) => score >= NOISE);
  return shown.length > 0 ? shown : results;
}
