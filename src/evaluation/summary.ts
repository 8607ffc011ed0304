import { auroc } from './auroc.js';
import { bootstrapMean, type Interval } from './bootstrap.js';

/** How a query was answered, of whatever kind its measures are. */
export interface Measured {
  readonly id: string;
  /** Kind of question; missing where none is known. */
  readonly type?: string;
  /** By the measure's name; none for a query that has no answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the best result; missing where there was none. */
  readonly topScore?: number;
}

/** The queries of a kind, which may be `all`. */
export interface SummaryRow {
  readonly type: string;
  /** Queries that have an answer: those that the measures are means of. */
  readonly n: number;
  /** Mean and its 95 % bootstrap interval, by the measure's name. */
  readonly measures: Readonly<Record<string, Interval>>;
  /** Of all kinds: whether the score of the best result tells queries with an answer from those without. */
  readonly auroc?: { readonly value: number; readonly answerable: number; readonly unanswerable: number };
}

const ALL = 'all';

/** A row for every kind of question, the last for all of them. */
export function summarise(results: readonly Measured[]): SummaryRow[] {
  const types = new Set(results.filter(isAnswerable).flatMap(({ type }) => type ?? []));
  const rows = [...types].map((type) => ({ type, ...means(results.filter((result) => result.type === type)) }));
  return [...rows, { type: ALL, ...means(results), ...separation(results) }];
}

function means(results: readonly Measured[]): Pick<SummaryRow, 'n' | 'measures'> {
  const answerable = results.filter(isAnswerable);
  const names = Object.keys(answerable[0]?.measures ?? {});
  const mean = (name: string) => bootstrapMean(answerable.map(({ measures }) => measures[name] ?? 0));
  return { n: answerable.length, measures: Object.fromEntries(names.map((name) => [name, mean(name)])) };
}

/** A query without results has the lowest score there is. */
function separation(results: readonly Measured[]): Pick<SummaryRow, 'auroc'> {
  const scores = (answerable: boolean) =>
    results
      .filter((result) => isAnswerable(result) === answerable)
      .map(({ topScore }) => topScore ?? Number.NEGATIVE_INFINITY);
  const [positives, negatives] = [scores(true), scores(false)];
  const value = auroc(positives, negatives);
  return value === undefined ? {} : { auroc: { value, answerable: positives.length, unanswerable: negatives.length } };
}

function isAnswerable({ measures }: Measured): boolean {
  return Object.keys(measures).length > 0;
}
