import { textTable } from 'waymark/evaluation';
import { curveChart } from '../chart/curves.js';
import { colourOf } from '../growth/colours.js';
import { exponentOf } from '../growth/exponent.js';
import { orNone, shown, verdict } from '../growth/verdict.js';
import type { OpenReply } from './first-answer.js';
import type { OpenResult } from './open.js';

type Figure = Exclude<keyof OpenReply, 'index'>;

const FIGURES: readonly { readonly figure: Figure; readonly name: string }[] = [
  { figure: 'load', name: 'process and modules, ms' },
  { figure: 'open', name: 'openEngine, ms' },
  { figure: 'firstSearch', name: 'first search, ms' },
  { figure: 'firstAnswer', name: 'openEngine to first answer, ms' },
  { figure: 'secondSearch', name: 'second search, ms' },
  { figure: 'rss', name: 'resident memory, MB' },
];

/** Exponent of each figure's growth with the number of passages, where it can be told. */
export function growthOf(results: readonly OpenResult[]): Partial<Record<Figure, number>> {
  return Object.fromEntries(
    FIGURES.flatMap(({ figure }) => {
      const exponent = exponentOf(results.map((result) => ({ x: result.passages, y: result[figure] })));
      return exponent === undefined ? [] : [[figure, exponent] as const];
    }),
  );
}

export function openReport(results: readonly OpenResult[]): string {
  const growth = growthOf(results);
  const headings = results.map(({ passages, index }) => `${passages.toLocaleString('en')} (${index})`);
  const table = textTable(['median over processes', ...headings, 'grows as'], {
    left: 1,
    rows: FIGURES.map(({ figure, name }) => [
      name,
      ...results.map((result) => shown(result[figure])),
      growth[figure] === undefined ? '' : `n^${growth[figure].toFixed(2)}`,
    ]),
  });
  return [table, ...orNone(openVerdicts(results)), ''].join('\n');
}

/** Milliseconds to the first answer that are wanted, by passages. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [100_000, 1500],
  [1_000_000, 8000],
]);

/** Of the sizes that have a target. */
export function openVerdicts(results: readonly OpenResult[]): string[] {
  return results.flatMap(({ passages, firstAnswer, index }) => {
    // A generated collection has a passage more or less.
    const most = [...TARGETS].find(([size]) => Math.abs(passages - size) < size / 100)?.[1];
    const what = `openEngine to first answer at ${shown(passages)} passages, ${index}`;
    return most === undefined ? [] : [verdict(what, { value: firstAnswer, most, unit: 'ms' })];
  });
}

export function openChart(results: readonly OpenResult[]): string {
  const lines = FIGURES.filter(({ figure }) => figure !== 'rss').map(({ figure, name }, i) => ({
    name: name.replace(', ms', ''),
    colour: colourOf(i),
    points: results.map((result) => ({ x: result.passages, y: result[figure] })),
  }));
  return curveChart({
    title: 'Opening an index in a new process',
    xAxis: 'passages in the index',
    yAxis: 'milliseconds',
    lines,
  });
}
