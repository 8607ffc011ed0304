import { auroc } from './auroc.js';
import { bootstrapMean, type Interval } from './bootstrap.js';

/** The measures of a query. */
export interface MeasuredQuery {
  readonly id: string;
  /** Kind of question; missing if unknown. */
  readonly type?: string;
  /** Value by name of the measure; empty for a query without an answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the first result; missing if nothing was found. */
  readonly topScore?: number;
}

/** Means over the queries of one kind, or of all kinds if `type` is `all`. */
export interface SummaryRow {
  /** The type of the questions in this row. */
  readonly type: string;
  /** Number of queries with an answer, over which the means are taken. */
  readonly n: number;
  /** Mean with its 95 % bootstrap interval, by name of the measure. */
  readonly measures: Readonly<Record<string, Interval>>;
  /**
   * How well the top score separates answerable from unanswerable queries, with the number of each; only in the row
   * `all`, and only if there are both.
   */
  readonly auroc?: { readonly value: number; readonly answerable: number; readonly unanswerable: number };
}

/** The type of the row for all questions. A question cannot have this type. */
export const ALL = 'all';

/** One row per kind of question, then one for all of them. */
export function summarise(results: readonly MeasuredQuery[]): SummaryRow[] {
  const types = new Set(results.filter(isAnswerable).flatMap(({ type }) => type ?? []));
  const rows = [...types].map((type) => ({ type, ...means(results.filter((result) => result.type === type)) }));
  return [...rows, { type: ALL, ...means(results), ...separation(results) }];
}

function means(results: readonly MeasuredQuery[]): Pick<SummaryRow, 'n' | 'measures'> {
  const answerable = results.filter(isAnswerable);
  const names = Object.keys(answerable[0]?.measures ?? {});
  const mean = (name: string) => bootstrapMean(answerable.map(({ measures }) => measures[name] ?? 0));
  return { n: answerable.length, measures: Object.fromEntries(names.map((name) => [name, mean(name)])) };
}

function separation(results: readonly MeasuredQuery[]): Pick<SummaryRow, 'auroc'> {
  const scores = (answerable: boolean) =>
    results
      .filter((result) => isAnswerable(result) === answerable)
      .map(({ topScore }) => topScore ?? Number.NEGATIVE_INFINITY);
  const [positives, negatives] = [scores(true), scores(false)];
  const value = auroc(positives, negatives);
  return value === undefined ? {} : { auroc: { value, answerable: positives.length, unanswerable: negatives.length } };
}

function isAnswerable({ measures }: MeasuredQuery): boolean {
  return Object.keys(measures).length > 0;
}
