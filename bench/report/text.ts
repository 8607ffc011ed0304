import { differencesTable, formatInterval, pairedDifferences, summaryTable } from 'waymark/evaluation';
import type { QueryResult } from '../quality/evaluate.js';
import type { Indexing } from '../quality/index-corpus.js';
import type { RunResult } from '../quality/quality.js';
import type { EarlierResult, ResultFile } from './result-file.js';

/** A result as a person reads it; where there is an earlier one, with what changed since. */
export function reportOf(result: ResultFile, before?: EarlierResult): string {
  const { collection, settings, indexing, runs } = result;
  const parts = runs.flatMap((run) => [
    `${collection}: ${run.mode} ranking, ${settings.index} index, ${settings.model}\n`,
    summaryTable(
      run.summary.map(({ corpus, ...row }) => ({ name: corpus, ...row })),
      { of: 'corpus' },
    ),
    queriesLine(run),
    '',
  ]);
  const [first, ...others] = runs;
  const earlier = before?.runs.map((run) => ({ ...run, name: 'earlier' })) ?? [];
  const rows = [
    ...others.map((run) => first && difference(first, { ...run, name: run.mode })),
    ...runs.map((run) =>
      difference(
        run,
        earlier.find(({ mode }) => mode === run.mode),
      ),
    ),
  ].filter((row) => row !== undefined);
  const since = before ? [`earlier: ${before.date} ${before.commit ?? ''}`.trimEnd()] : [];
  const differences = rows.length > 0 ? [...since, differencesTable(rows)] : [];
  return `${[...parts, ...differences, ...indexing.map(indexingLine)].join('\n')}\n`;
}

interface Before {
  readonly name: string;
  readonly queries: readonly Pick<QueryResult, 'id' | 'measures'>[];
}

function difference({ mode, queries }: RunResult, before: Before | undefined) {
  return (
    before && { name: `${mode} minus ${before.name}`, ...pairedDifferences({ before: before.queries, after: queries }) }
  );
}

function queriesLine({ queryMilliseconds: { median, p95 }, hnswRecall }: RunResult): string {
  const time = `A query takes ${median.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (95th percentile).`;
  return hnswRecall
    ? `${time}\nHNSW recall@${hnswRecall.k} against the exact index, ${hnswRecall.queries} queries: ${formatInterval(hnswRecall)}`
    : time;
}

function indexingLine({ corpus, files, passages, embedded, seconds, passagesPerSecond, cached }: Indexing): string {
  const rate = `${embedded} embedded in ${seconds.toFixed(1)} s (${passagesPerSecond.toFixed(1)}/s)`;
  return `${corpus}: ${files} files, ${passages} passages; ${rate}${cached ? ' by an earlier run' : ''}.`;
}
