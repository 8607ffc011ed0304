import { textTable } from 'waymark/evaluation';
import { formatNumber, orNoTarget, targetLine } from '../support/report/target.js';
import { exponentOf, formatExponent } from '../support/statistics/exponent.js';
import type { OpenTimes } from './first-answer.js';
import type { OpenResult } from './measure.js';

type Figure = Exclude<keyof OpenTimes, 'index'>;

export const FIGURES: readonly { readonly figure: Figure; readonly name: string; readonly unit: string }[] = [
  { figure: 'load', name: 'process and modules', unit: 'ms' },
  { figure: 'open', name: 'openEngine', unit: 'ms' },
  { figure: 'firstSearch', name: 'first search', unit: 'ms' },
  { figure: 'firstAnswer', name: 'openEngine to first answer', unit: 'ms' },
  { figure: 'secondSearch', name: 'second search', unit: 'ms' },
  { figure: 'rss', name: 'resident memory', unit: 'MB' },
];

/** Exponent of the growth of each figure with the number of passages, if known. */
export function growthOf(results: readonly OpenResult[]): Partial<Record<Figure, number>> {
  return Object.fromEntries(
    FIGURES.flatMap(({ figure }) => {
      const exponent = exponentOf(results.map((result) => ({ x: result.passages, y: result[figure] })));
      return exponent === undefined ? [] : [[figure, exponent] as const];
    }),
  );
}

/** Text for the terminal. */
export function openReport(results: readonly OpenResult[]): string {
  const growth = growthOf(results);
  const headings = results.map(({ passages, index }) => `${passages.toLocaleString('en')} (${index})`);
  const table = textTable(['median over processes', ...headings, 'grows as'], {
    left: 1,
    rows: FIGURES.map(({ figure, name, unit }) => [
      `${name}, ${unit}`,
      ...results.map((result) => formatNumber(result[figure])),
      formatExponent(growth[figure]),
    ]),
  });
  return [table, ...orNoTarget(openTargets(results)), ''].join('\n');
}

/** Milliseconds to the first answer, by number of passages. */
const TARGETS: ReadonlyMap<number, number> = new Map([
  [100_000, 1500],
  [1_000_000, 8000],
]);

/** Lines for the sizes that have a target. */
export function openTargets(results: readonly OpenResult[]): string[] {
  return results.flatMap(({ passages, firstAnswer, index }) => {
    // A synthetic database may have a passage more or less than its size.
    const most = [...TARGETS].find(([size]) => Math.abs(passages - size) < size / 100)?.[1];
    const what = `openEngine to first answer at ${formatNumber(passages)} passages, ${index}`;
    return most === undefined ? [] : [targetLine(what, { value: firstAnswer, most, unit: 'ms' })];
  });
}
