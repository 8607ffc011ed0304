import { curveChart } from '../chart/curves.js';
import type { SideResult } from './measure.js';
import { ENOUGH } from './measure-side.js';
import { SIDES } from './sides/sides.js';

/** The median search of each side against the number of vectors; a side that misses neighbours says so. */
export function vectorsChart(results: readonly SideResult[]): string {
  return curveChart({
    title: 'The ten nearest of so many vectors, median',
    xAxis: 'vectors',
    yAxis: 'milliseconds',
    lines: SIDES.map(({ name, colour }) => {
      const searches = results
        .filter(({ side }) => side === name)
        .flatMap(({ size, searches: [all] }) => (all ? [{ size, ...all }] : []));
      const recall = Math.min(...searches.map((search) => search.recall));
      return {
        name: recall < ENOUGH ? `${name}, recall ${recall.toFixed(2)}` : name,
        colour,
        points: searches.map(({ size, p50 }) => ({ x: size, y: p50 })),
      };
    }),
  });
}
