import type { AblationsFile } from '../ablations/report.js';
import { barChart } from '../chart/bars.js';
import { dotChart } from '../chart/dots.js';
import type { ResultFile } from './result-file.js';

const INTERVALS = '95 % bootstrap intervals';

/** Colours that people tell apart who see few: Okabe & Ito 2008, "Color Universal Design". */
const COLOURS: Readonly<Record<string, string>> = { dense: '#0072b2', lexical: '#e69f00', hybrid: '#009e73' };
const OTHER = '#cc79a7';

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
  const series = modes.map(({ mode }) => ({ name: mode, colour: COLOURS[mode] ?? OTHER }));
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
    colour: COLOURS[mode] ?? OTHER,
    rows: ablations.flatMap(({ mode: of, variant, difference }) => {
      const value = difference?.measures[main];
      return of === mode && value ? [{ name: variant, value }] : [];
    }),
  }));
  return dotChart({
    title: `${collection}: ${main} with one thing changed, against what ships`,
    axis: `difference in mean ${main}, ${INTERVALS}; filled where it leaves out 0`,
    groups,
  });
}
