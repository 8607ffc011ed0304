import type { Mode } from '../contract/search-files.js';

/** Where a score is one half, and how steep it is there, by mode: fitted to first hits, see ARCHITECTURE.md. */
const LOGISTIC: Readonly<Record<Mode, { readonly middle: number; readonly slope: number }>> = {
  hybrid: { middle: 1.9, slope: 3 },
  dense: { middle: 0.76, slope: 5 },
  lexical: { middle: 0.36, slope: 7.5 },
};

/** About the chance that a first hit of this sum answers, 0..1. */
export function scoreOf(sum: number, mode: Mode): number {
  const { middle, slope } = LOGISTIC[mode];
  return 1 / (1 + Math.exp(-slope * (sum - middle)));
}
