import { curveChart } from '../support/charts/curves.js';
import { CONTENDERS } from './contenders/contenders.js';
import type { ContenderResult } from './measure-size.js';
import { CORRECT } from './prepare-contender.js';

/** Median time of a search by number of vectors. The name of a contender that misses neighbours has its recall. */
export function vectorsChart(results: readonly ContenderResult[]): Promise<string> {
  return curveChart({
    title: 'Time to find the ten nearest vectors, median',
    xTitle: 'vectors',
    yTitle: 'milliseconds',
    scale: 'log',
    curves: CONTENDERS.map(({ name, colour }) => {
      const searches = results
        .filter(({ contender }) => contender === name)
        .flatMap(({ size, searches: [unfiltered] }) => (unfiltered ? [{ size, ...unfiltered }] : []));
      const recall = Math.min(...searches.map((search) => search.recall));
      return {
        name: recall < CORRECT ? `${name}, recall ${recall.toFixed(2)}` : name,
        colour,
        points: searches.map(({ size, p50 }) => ({ x: size, y: p50 })),
      };
    }),
  });
}
