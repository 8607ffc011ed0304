import type { Interval } from './bootstrap.js';
import { type Differences, isSure } from './differences.js';
import type { SummaryRow } from './summary.js';
import { textTable } from './text-table.js';

/** Which measures a table has, and in which order; all that there are unless given. */
export interface TableOptions {
  readonly measures?: readonly string[];
}

/** Rows of queries, by whatever `name` tells whose they are: means with their intervals, AUROC where there is one. */
export function summaryTable(
  rows: readonly (SummaryRow & { readonly name: string })[],
  { of, measures }: TableOptions & { readonly of: string },
): string {
  const names = measures ?? namesIn(rows);
  const separated = rows.some(({ auroc }) => auroc);
  return textTable([of, 'kind', 'n', ...names, ...(separated ? ['AUROC'] : [])], {
    left: 2,
    rows: rows.map(({ name, type, n, measures, auroc }) => [
      name,
      type,
      String(n),
      ...names.map((measure) => showInterval(measures[measure])),
      auroc ? `${auroc.value.toFixed(3)} (${auroc.answerable}:${auroc.unanswerable})` : '',
    ]),
  });
}

/** Rows of paired differences, `*` where an interval leaves out 0. */
export function differencesTable(
  rows: readonly (Differences & { readonly name: string })[],
  { measures }: TableOptions = {},
): string {
  const names = measures ?? namesIn(rows);
  return textTable(['difference', 'n', ...names.map((name) => `${name}  `)], {
    left: 1,
    rows: rows.map(({ name, n, measures }) => [name, String(n), ...names.map((measure) => marked(measures[measure]))]),
  });
}

function marked(difference: Interval | undefined): string {
  if (!difference) return '';
  return `${showInterval(difference)}${isSure(difference) ? ' *' : '  '}`;
}

function namesIn(rows: readonly { readonly measures: Readonly<Record<string, Interval>> }[]): string[] {
  return [...new Set(rows.flatMap(({ measures }) => Object.keys(measures)))];
}

/** A mean and its interval: `0.546 [0.46, 0.63]`; nothing for none. */
export function showInterval(interval: Interval | undefined): string {
  if (!interval) return '';
  const { mean, low, high } = interval;
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
