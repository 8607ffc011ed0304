import { curveChart } from '../chart/curves.js';
import type { SideResult } from './measure.js';
import { SIDES } from './sides/sides.js';

/** The median search of each side against the number of vectors. */
export function vectorsChart(results: readonly SideResult[]): string {
  return curveChart({
    title: 'The ten nearest of so many vectors, median',
    xAxis: 'vectors',
    yAxis: 'milliseconds',
    lines: SIDES.map(({ name, colour }) => ({
      name,
      colour,
      points: results
        .filter(({ side }) => side === name)
        .flatMap(({ size, searches: [all] }) => (all ? [{ x: size, y: all.p50 }] : [])),
    })),
  });
}
