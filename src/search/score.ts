import type { Mode } from '../contract/fields/query.js';

/** How a candidate stands among the others of its query. */
export interface Standing {
  /** What hits are ordered by. */
  readonly sum: number;
  /** How far the sum is above the best other sum; below 0 for all but the first and its copies. */
  readonly lead: number;
  /** How far the nearest passage stands out from the others; the same for all candidates. */
  readonly contrast: number;
}

/** Weights of the score's logistic function, fitted to the first three hits: see docs/ranking.md. */
interface Weights {
  /** The sum at which the score is one half, without lead and contrast. */
  readonly middle: number;
  readonly slope: number;
  readonly lead: number;
  readonly contrast: number;
}

const WEIGHTS: Readonly<Record<Mode, Weights>> = {
  hybrid: { middle: 3.4, slope: 1.5, lead: 3.4, contrast: 2.3 },
  dense: { middle: 3, slope: 1.5, lead: 9.3, contrast: 4.7 },
  lexical: { middle: 0.52, slope: 6.6, lead: 9.5, contrast: 0 },
};

/** The approximate probability that a candidate answers the query, 0 to 1. Grows with the sum. */
export function scoreOf({ sum, lead, contrast }: Standing, mode: Mode): number {
  const weights = WEIGHTS[mode];
  const logit = weights.slope * (sum - weights.middle) + weights.lead * lead + weights.contrast * contrast;
  return 1 / (1 + Math.exp(-logit));
}
