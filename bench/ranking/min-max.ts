/**
 * Values moved and stretched so that the least is 0 and the greatest 1; one that is missing counts as the least, and all
 * are 0 where they are equal. Lee 1997, "Analyses of multiple evidence combination", SIGIR.
 */
export function minMax(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined);
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const range = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - least;
  return values.map((value) => (value === undefined || range === 0 ? 0 : (value - least) / range));
}
