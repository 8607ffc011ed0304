import { curveChart } from '../chart/curves.js';
import type { Growth } from './sizes.js';

/** Indexing time over passages. */
export function growthChart({ sizes }: Growth): string {
  return curveChart({
    title: 'Indexing with the bundled model',
    xAxis: 'passages',
    yAxis: 'seconds',
    lines: [
      { name: 'index', colour: '#0072b2', points: sizes.map(({ passages, seconds }) => ({ x: passages, y: seconds })) },
    ],
  });
}
