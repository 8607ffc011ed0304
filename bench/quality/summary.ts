import { auroc } from '../measures/auroc.js';
import { bootstrapMean, type Interval } from '../measures/bootstrap.js';
import type { QueryResult } from './evaluate.js';

/** The queries of a corpus and kind, either of which may be `all`. */
export interface SummaryRow {
  readonly corpus: string;
  readonly type: string;
  /** Queries that have an answer: those that the measures are means of. */
  readonly n: number;
  readonly measures: Readonly<Record<string, Interval>>;
  /** Whether the score of the best result tells queries with an answer from those without. */
  readonly auroc?: { readonly value: number; readonly answerable: number; readonly unanswerable: number };
}

export const ALL = 'all';

/** A row for every corpus and kind of question, one for each corpus, and, where there are several, for all of them. */
export function summarise(results: readonly QueryResult[]): SummaryRow[] {
  const corpora = new Set(results.map(({ corpus }) => corpus));
  const rows = [...corpora].flatMap((corpus) =>
    rowsOf(
      corpus,
      results.filter((result) => result.corpus === corpus),
    ),
  );
  return corpora.size > 1 ? [...rows, ...rowsOf(ALL, results)] : rows;
}

function rowsOf(corpus: string, results: readonly QueryResult[]): SummaryRow[] {
  const types = new Set(results.filter(isAnswerable).flatMap(({ type }) => type ?? []));
  const rows = [...types].map((type) => ({
    corpus,
    type,
    ...means(results.filter((result) => result.type === type)),
  }));
  return [...rows, { corpus, type: ALL, ...means(results), ...separation(results) }];
}

function means(results: readonly QueryResult[]): Pick<SummaryRow, 'n' | 'measures'> {
  const answerable = results.filter(isAnswerable);
  const names = Object.keys(answerable[0]?.measures ?? {});
  const mean = (name: string) => bootstrapMean(answerable.map(({ measures }) => measures[name] ?? 0));
  return { n: answerable.length, measures: Object.fromEntries(names.map((name) => [name, mean(name)])) };
}

/** A query without results has the lowest score there is. */
function separation(results: readonly QueryResult[]): Pick<SummaryRow, 'auroc'> {
  const scores = (answerable: boolean) =>
    results
      .filter((result) => isAnswerable(result) === answerable)
      .map(({ topScore }) => topScore ?? Number.NEGATIVE_INFINITY);
  const [positives, negatives] = [scores(true), scores(false)];
  const value = auroc(positives, negatives);
  return value === undefined ? {} : { auroc: { value, answerable: positives.length, unanswerable: negatives.length } };
}

function isAnswerable({ measures }: QueryResult): boolean {
  return Object.keys(measures).length > 0;
}
