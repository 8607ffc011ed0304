/** A figure and the bound that it should keep. */
export type Target = { readonly value: number; readonly unit?: string } & (
  | { readonly most: number }
  | { readonly least: number }
);

/** `met  …` or `MISSED  …`, with the figure and its target. */
export function targetLine(what: string, target: Target): string {
  const { value, unit } = target;
  const [met, bound] =
    'most' in target
      ? [value <= target.most, `at most ${formatNumber(target.most)}`]
      : [value >= target.least, `at least ${formatNumber(target.least)}`];
  const figure = `${formatNumber(value)}${unit === undefined ? '' : ` ${unit}`}`;
  return `${met ? 'met' : 'MISSED'}  ${what}: ${figure} (target: ${bound})`;
}

/** A number with about three significant digits, and all digits before the point. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** The lines, or a line that says there are none. */
export function orNoTarget(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['There is no target for these sizes.'];
}
