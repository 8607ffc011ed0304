const K1 = 1.2;
const B = 0.75;

/** Passages and their mean length in terms. */
export interface Totals {
  readonly passages: number;
  readonly meanLength: number;
}

/** Inverse document frequency as FTS5 has it: Robertson's, never below a millionth. */
export function inverseFrequency(frequency: number, { passages }: Pick<Totals, 'passages'>): number {
  return Math.max(1e-6, Math.log((passages - frequency + 0.5) / (frequency + 0.5)));
}

/**
 * BM25 of one term in one passage, as FTS5's `bm25()` has it: `occurrences` are weighted by column, `length` is in terms,
 * `weight` the inverse document frequency.
 */
export function bm25(
  occurrences: number,
  { weight, length, meanLength }: { weight: number; length: number; meanLength: number },
): number {
  return (weight * occurrences * (K1 + 1)) / (occurrences + K1 * (1 - B + (B * length) / meanLength));
}

/** What any number of occurrences multiplies a term's weight by at most. */
export const MOST_OCCURRENCES = K1 + 1;
