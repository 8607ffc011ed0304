/** Saturation of repeated occurrences, and weight of a passage's length. The usual values, which FTS5 has too. */
const K1 = 1.2;
const B = 0.75;

/** How much more an occurrence in the breadcrumb counts than one in the text. Tuned: docs/ranking.md. */
export const BREADCRUMB_WEIGHT = 2;

/** How much an occurrence in the name or description of the file counts. See docs/decisions/085. */
export const FILE_WEIGHT = 0.5;

/** Maximum number of passages in the files that a term names. A term that names more does not tell files apart. */
export const MAX_NAMED_PASSAGES = 1_000;

/** Maximum number of postings that a query reads, rarest terms first: about 2 ms in a collection of any size. */
export const POSTING_BUDGET = 5_000;

/** The limit of the factor by which occurrences multiply the weight of a term. */
const MAX_SATURATION = K1 + 1;

/** Inverse document frequency after Robertson and Spärck Jones, as FTS5 has it: never below a millionth. */
export function inverseFrequency(frequency: number, passages: number): number {
  // Counting stops above the budget in some stores: all of them must agree. Names are counted even where the passages
  // of their files have no postings yet.
  const counted = Math.min(frequency, POSTING_BUDGET + 1, passages);
  return Math.max(1e-6, Math.log((passages - counted + 0.5) / (counted + 0.5)));
}

/**
 * BM25 of one term in one passage (Robertson, Zaragoza 2009, 3.4). `occurrences` are weighted by field, `terms` is the
 * length of the passage in terms, `weight` the inverse document frequency.
 */
export function bm25(
  occurrences: number,
  { weight, terms, meanTerms }: { readonly weight: number; readonly terms: number; readonly meanTerms: number },
): number {
  // Where no passage has a term, a query can still match the names of files.
  const length = meanTerms > 0 ? terms / meanTerms : 1;
  return (weight * occurrences * (K1 + 1)) / (occurrences + K1 * (1 - B + B * length));
}

/**
 * The BM25 that no passage can exceed for terms of these frequencies. Terms that occur nowhere count: a query about
 * something that the collection does not mention is not answered by its other words.
 */
export function bm25Ceiling(frequencies: readonly number[], passages: number): number {
  return frequencies.reduce((sum, frequency) => sum + inverseFrequency(frequency, passages) * MAX_SATURATION, 0);
}

/**
 * The indexes of the terms that a query is scored by, rarest first: as many as the budget allows, at least one. A term
 * in more than half of the passages does not tell them apart. If there are only such terms, the rarest is chosen.
 */
export function chooseTerms(frequencies: readonly number[], passages: number): number[] {
  const rarestFirst = frequencies
    .map((frequency, index) => ({ frequency: Math.min(frequency, POSTING_BUDGET + 1), index }))
    .sort((a, b) => a.frequency - b.frequency);
  const chosen: number[] = [];
  let postings = 0;
  for (const { frequency, index } of rarestFirst) {
    postings += frequency;
    if (postings > POSTING_BUDGET && chosen.length > 0) break;
    if (frequency > 0 && frequency <= Math.max(passages / 2, 1)) chosen.push(index);
  }
  const rarest = rarestFirst.find(({ frequency }) => frequency > 0);
  if (chosen.length === 0 && rarest) chosen.push(rarest.index);
  return chosen;
}
