import { curveChart } from '../support/charts/curves.js';
import { COLOURS } from '../support/charts/palette.js';
import type { Growth } from './sizes.js';

/** Indexing time by number of passages. */
export function growthChart({ sizes }: Growth): Promise<string> {
  return curveChart({
    title: 'Indexing with the bundled model',
    xTitle: 'passages',
    yTitle: 'seconds',
    scale: 'log',
    curves: [
      {
        name: 'indexFolder',
        colour: COLOURS.blue,
        points: sizes.map(({ passages, seconds }) => ({ x: passages, y: seconds })),
      },
    ],
  });
}
