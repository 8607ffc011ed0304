import { curveChart } from '../support/charts/curves.js';
import { COLOURS } from '../support/charts/palette.js';
import type { Sample } from './work-process.js';

/** Memory over time. The axis begins at 0, so that a level line looks level. */
export function memoryChart(samples: readonly Sample[]): Promise<string> {
  const curve = (name: string, colour: string, of: 'rss' | 'heap') => ({
    name,
    colour,
    points: samples.map((sample) => ({ x: round(sample.at / 60), y: round(sample[of] / 2 ** 20) })),
  });
  return curveChart({
    title: 'Memory of a process that indexes, edits, removes and searches',
    xTitle: 'minutes',
    yTitle: 'MiB after garbage collection',
    scale: 'linear',
    curves: [curve('resident', COLOURS.blue, 'rss'), curve('JavaScript heap', COLOURS.orange, 'heap')],
  });
}

/** Two digits are finer than a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
