export type Judged = { readonly value: number; readonly unit?: string } & (
  | { /** The value should be at most this. */ readonly most: number }
  | { /** The value should be at least this. */ readonly least: number }
);

/** A line that says whether a figure is where it should be. */
export function verdict(what: string, judged: Judged): string {
  const { value, unit } = judged;
  const [met, target] =
    'most' in judged
      ? [value <= judged.most, `at most ${shown(judged.most)}`]
      : [value >= judged.least, `at least ${shown(judged.least)}`];
  return `${met ? 'met' : 'MISSED'}  ${what}: ${shown(value)}${unit === undefined ? '' : ` ${unit}`} (target: ${target})`;
}

/** A number with three digits, as far as it has such; all of those before the point. */
export function shown(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** The verdicts, or a line that says that there are none. */
export function orNone(verdicts: readonly string[]): readonly string[] {
  return verdicts.length > 0 ? verdicts : ['No size with a target was measured: there is no verdict.'];
}
