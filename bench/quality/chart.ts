import { barChart } from '../support/charts/bars.js';
import { modeColour } from '../support/charts/palette.js';
import type { QualityFile } from './report.js';
import { overallRows } from './summary.js';

/** The main measure by kind of question; without kinds, all measures. */
export function qualityChart({ collection, runs }: Pick<QualityFile, 'collection' | 'runs'>): Promise<string> {
  const modes = runs.map(({ mode, summary }) => ({ mode, rows: overallRows(summary) }));
  const kinds = modes[0]?.rows ?? [];
  const all = kinds.at(-1);
  const names = Object.keys(all?.measures ?? {});
  const [main = ''] = names;
  const series = modes.map(({ mode }) => ({ name: mode, colour: modeColour(mode) }));
  if (kinds.length < 2) {
    return barChart({
      title: `${collection}: ${all?.n} queries, 95 % bootstrap intervals`,
      yTitle: 'mean',
      series,
      groups: names.map((name) => ({ name, values: modes.map(({ rows }) => rows.at(-1)?.measures[name]) })),
    });
  }
  return barChart({
    title: `${collection}: ${main} by kind of question, 95 % bootstrap intervals`,
    yTitle: `mean ${main}`,
    series,
    groups: kinds.map(({ type, n }) => ({
      name: `${type} (${n})`,
      values: modes.map(({ rows }) => rows.find((row) => row.type === type)?.measures[main]),
    })),
  });
}
