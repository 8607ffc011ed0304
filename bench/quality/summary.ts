import { type SummaryRow, summarise } from 'waymark/evaluation';
import type { EvaluatedQuery } from './evaluate.js';

/** Means over the queries about one corpus, or about all if `corpus` is `all`. */
export interface CorpusSummaryRow extends SummaryRow {
  readonly corpus: string;
}

const ALL = 'all';

/** The rows of each corpus, and, if there are several, those of all of them. */
export function summariseCorpora(results: readonly EvaluatedQuery[]): CorpusSummaryRow[] {
  const corpora = [...new Set(results.map(({ corpus }) => corpus))];
  const rows = corpora.flatMap((name) =>
    rowsOf(
      name,
      results.filter(({ corpus }) => corpus === name),
    ),
  );
  return corpora.length > 1 ? [...rows, ...rowsOf(ALL, results)] : rows;
}

function rowsOf(corpus: string, results: readonly EvaluatedQuery[]): CorpusSummaryRow[] {
  return summarise(results).map((row) => ({ corpus, ...row }));
}

/** The rows over all corpora. */
export function overallRows(rows: readonly CorpusSummaryRow[]): readonly CorpusSummaryRow[] {
  const corpus = rows.at(-1)?.corpus;
  return rows.filter((row) => row.corpus === corpus);
}
