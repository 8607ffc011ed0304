import type { AblationsFile } from '../ablations/report.js';
import { barChart } from '../chart/bars.js';
import { dotChart } from '../chart/dots.js';
import type { ResultFile } from './result-file.js';

const INTERVALS = '95 % bootstrap intervals';

/** The main measure by kind of question, where there are kinds; all measures of all queries elsewhere. */
export function qualityChart({ collection, runs }: ResultFile): string {
  const modes = runs.map(({ mode, summary }) => {
    const corpus = summary.at(-1)?.corpus;
    return { mode, rows: summary.filter((row) => row.corpus === corpus) };
  });
  const [first] = modes;
  const all = first?.rows.at(-1);
  const names = Object.keys(all?.measures ?? {});
  const [main = ''] = names;
  const kinds = first?.rows ?? [];
  const series = modes.map(({ mode }) => mode);
  if (kinds.length < 2) {
    const groups = names.map((name) => ({ name, values: modes.map(({ rows }) => rows.at(-1)?.measures[name]) }));
    return barChart({ title: `${collection}: ${all?.n} queries, ${INTERVALS}`, axis: 'mean', series, groups });
  }
  const groups = kinds.map(({ type, n }) => ({
    name: `${type} (${n})`,
    values: modes.map(({ rows }) => rows.find((row) => row.type === type)?.measures[main]),
  }));
  return barChart({
    title: `${collection}: ${main} by kind of question, ${INTERVALS}`,
    axis: `mean ${main}`,
    series,
    groups,
  });
}

/** What each variant has over what ships, in the main measure. */
export function ablationsChart({ collection, ablations }: AblationsFile): string {
  const [main = ''] = Object.keys(ablations[0]?.summary.at(-1)?.measures ?? {});
  const modes = [...new Set(ablations.map(({ mode }) => mode))];
  const groups = modes.map((mode) => ({
    name: mode,
    rows: ablations.flatMap(({ mode: of, variant, difference }) => {
      const value = difference?.measures[main];
      return of === mode && value ? [{ name: variant, value }] : [];
    }),
  }));
  return dotChart({
    title: `${collection}: what a change of the shipped settings does to ${main}, ${INTERVALS}`,
    axis: `difference in mean ${main} to the same mode as shipped; filled: sure`,
    groups,
  });
}
