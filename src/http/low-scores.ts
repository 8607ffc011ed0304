/** Below this score, a first result rarely answers; see docs/ranking.md. */
const LIKELY = 0.25;

/** A note on results that all have low scores; undefined if one has not. */
export function lowScoresNote(results: readonly { readonly score: number }[]): string | undefined {
  if (results.length === 0 || results.some(({ score }) => score >= LIKELY)) return undefined;
  const advice = 'Rephrase the query, or index files that answer it.';
  return `All results score below ${LIKELY}: probably none of them answers. ${advice}`;
}
