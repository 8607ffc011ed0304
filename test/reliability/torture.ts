/** Whether the long form of these tests runs: `npm run test:torture`. */
export const TORTURE = process.env.WAYMARK_TORTURE === '1';

/** How many times something is tried, in the short form and in the long one. */
export function times(short: number, long: number): number {
  return TORTURE ? long : short;
}

/** Tells a figure that docs/reliability.md quotes; the short form is silent. */
export function tell(figure: string): void {
  if (TORTURE) process.stdout.write(`reliability: ${figure}\n`);
}
