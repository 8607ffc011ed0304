import type { IndexProgress } from 'waymark';
import { progressLine } from '../report/progress-line.js';

/** Tells on stderr how far a synthetic database of so many passages is. */
export function progressOf(passages: number): { onProgress: (progress: IndexProgress) => void } {
  const tell = progressLine();
  return { onProgress: (progress) => tell(`${passages} synthetic passages`, progress) };
}
