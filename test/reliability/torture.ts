/** Whether the long form of the tests runs: `npm run test:torture`. */
export const TORTURE = process.env.WAYMARK_TORTURE === '1';

/** A value for the short form of the tests, or for the long one. */
export function times<Value>(short: Value, long: Value): Value {
  return TORTURE ? long : short;
}

/** Prints a figure that docs/reliability.md quotes, in the long form only. */
export function tell(figure: string): void {
  if (TORTURE) process.stdout.write(`reliability: ${figure}\n`);
}
