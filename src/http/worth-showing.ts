/** A result with a lower score is noise beside one with a higher score. */
const NOISE = 0.01;

/**
 * The results that a display shows: without those that score next to nothing, unless all of them do. Operations and
 * formats for programs have all results.
 */
export function worthShowing<T extends { readonly score: number }>(results: readonly T[]): readonly T[] {
  const shown = results.filter(({ score }) => score >= NOISE);
  return shown.length > 0 ? shown : results;
}
