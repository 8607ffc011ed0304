import type { Mode } from '../contract/search-files.js';

const MIDDLE = 1.05;
const SLOPE = 14;

export function scoreOf(sum: number, mode: Mode): number {
  if (mode === 'lexical') return sum;
  return 1 / (1 + Math.exp(-SLOPE * (sum - MIDDLE)));
}
