import type { Mode } from '../contract/fields/query.js';

/** The sum at which the score is one half, and the slope there. Fitted to top hits: see docs/ranking.md. */
const LOGISTIC: Readonly<Record<Mode, { readonly middle: number; readonly slope: number }>> = {
  hybrid: { middle: 1.9, slope: 3 },
  dense: { middle: 0.76, slope: 5 },
  lexical: { middle: 0.36, slope: 7.5 },
};

/** The approximate probability that a top hit with this sum answers the query, 0 to 1. */
export function scoreOf(sum: number, mode: Mode): number {
  const { middle, slope } = LOGISTIC[mode];
  return 1 / (1 + Math.exp(-slope * (sum - middle)));
}
