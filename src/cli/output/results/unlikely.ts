/** Below this score, a first result rarely answers; see docs/ranking.md. */
const LIKELY = 0.25;

/** What to know of results that all score low; undefined if one does not. */
export function unlikely(results: readonly { readonly score: number }[]): string | undefined {
  if (results.length === 0 || results.some(({ score }) => score >= LIKELY)) return undefined;
  return `All results score below ${LIKELY}: probably none answers. Ask in other words, or index what would answer.`;
}
