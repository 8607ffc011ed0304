import { type SummaryRow as Row, summarise as summariseKinds } from 'waymark/evaluation';
import type { QueryResult } from './evaluate.js';

/** The queries of a corpus and kind, either of which may be `all`. */
export interface SummaryRow extends Row {
  readonly corpus: string;
}

const ALL = 'all';

/** Rows for every corpus, and, where there are several, for all of them. */
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
  return summariseKinds(results).map((row) => ({ corpus, ...row }));
}
