import type { Interval } from './bootstrap.js';
import { type Differences, FEW_QUERIES, isSignificant } from './differences.js';
import type { SummaryRow } from './summary.js';
import { textTable } from './text-table.js';

/** Columns of a table of measures. */
export interface TableOptions {
  /** Names of the measures, in order. Defaults to all. */
  readonly measures?: readonly string[];
}

/**
 * A text table of summaries: means with their intervals, and the AUROC if any row has one. `of` is the heading of the
 * column of names.
 */
export function summaryTable(
  rows: readonly (SummaryRow & { readonly name: string })[],
  { of, measures }: TableOptions & { readonly of: string },
): string {
  const names = measures ?? measureNames(rows);
  const hasAuroc = rows.some(({ auroc }) => auroc);
  return textTable([of, 'kind', 'n', ...names, ...(hasAuroc ? ['AUROC'] : [])], {
    left: 2,
    rows: rows.map(({ name, type, n, measures, auroc }) => [
      name,
      type,
      String(n),
      ...names.map((measure) => formatMean(measures[measure], n)),
      auroc ? `${auroc.value.toFixed(3)} (${auroc.answerable}:${auroc.unanswerable})` : '',
    ]),
  });
}

/** A text table of paired differences; `*` marks an interval of at least 20 queries that excludes 0. */
export function differencesTable(
  rows: readonly (Differences & { readonly name: string })[],
  { measures }: TableOptions = {},
): string {
  const names = measures ?? measureNames(rows);
  return textTable(['difference', 'n', ...names.map((name) => `${name}  `)], {
    left: 1,
    rows: rows.map(({ name, n, measures }) => [
      name,
      String(n),
      ...names.map((measure) => starred(measures[measure], n)),
    ]),
  });
}

/** A mean and its interval as text, `0.546 [0.46, 0.63]`; the empty string for `undefined`. */
export function formatInterval(interval: Interval | undefined): string {
  if (!interval) return '';
  const { mean, low, high } = interval;
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

/** One query has a mean, and no interval. */
function formatMean(interval: Interval | undefined, n: number): string {
  return n === 1 && interval ? interval.mean.toFixed(3) : formatInterval(interval);
}

function starred(difference: Interval | undefined, n: number): string {
  if (!difference) return '';
  return `${formatMean(difference, n)}${n >= FEW_QUERIES && isSignificant(difference) ? ' *' : '  '}`;
}

function measureNames(rows: readonly { readonly measures: Readonly<Record<string, Interval>> }[]): string[] {
  return [...new Set(rows.flatMap(({ measures }) => Object.keys(measures)))];
}
