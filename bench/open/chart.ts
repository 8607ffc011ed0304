import { curveChart } from '../support/charts/curves.js';
import { seriesColour } from '../support/charts/palette.js';
import type { OpenResult } from './measure.js';
import { FIGURES } from './report.js';

export function openChart(results: readonly OpenResult[]): Promise<string> {
  return curveChart({
    title: 'Opening an index in a new process',
    xTitle: 'passages in the index',
    yTitle: 'milliseconds',
    scale: 'log',
    curves: FIGURES.filter(({ unit }) => unit === 'ms').map(({ figure, name }, i) => ({
      name,
      colour: seriesColour(i),
      points: results.map((result) => ({ x: result.passages, y: result[figure] })),
    })),
  });
}
