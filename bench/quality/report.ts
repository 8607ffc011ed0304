import { differencesTable, formatInterval, pairedDifferences, summaryTable } from 'waymark/evaluation';
import type { Indexing } from '../support/indexes/index-corpus.js';
import type { EarlierResult } from './earlier-result.js';
import type { EvaluatedQuery } from './evaluate.js';
import type { ModeResult, QualityResult } from './measure.js';

/** A result of the quality benchmark as it is written. */
export interface QualityFile extends Omit<QualityResult, 'model'> {
  readonly collection: string;
  readonly settings: { readonly index: string; readonly model: string; readonly limitQueries: number | null };
}

/** Text for the terminal; with an earlier result, also what has changed since. */
export function qualityReport(result: QualityFile, earlier?: EarlierResult): string {
  const { collection, settings, indexing, runs } = result;
  const tables = runs.flatMap((run) => [
    `${collection}: ${run.mode} mode, ${settings.index} index, ${settings.model}\n`,
    summaryTable(
      run.summary.map(({ corpus, ...row }) => ({ name: corpus, ...row })),
      { of: 'corpus' },
    ),
    timeLine(run),
    '',
  ]);
  const rows = [...differencesBetweenModes(runs), ...differencesTo(earlier, runs)];
  const since = earlier ? [`earlier: ${earlier.date} ${earlier.commit ?? ''}`.trimEnd()] : [];
  const differences = rows.length > 0 ? [...since, differencesTable(rows)] : [];
  return `${[...tables, ...differences, ...indexing.map(indexingLine)].join('\n')}\n`;
}

function differencesBetweenModes([first, ...others]: readonly ModeResult[]) {
  return others.flatMap((run) => (first ? [difference(run, { name: first.mode, queries: first.queries })] : []));
}

function differencesTo(earlier: EarlierResult | undefined, runs: readonly ModeResult[]) {
  return runs.flatMap((run) => {
    const before = earlier?.runs.find(({ mode }) => mode === run.mode);
    return before ? [difference(run, { name: 'earlier', queries: before.queries })] : [];
  });
}

function difference(
  { mode, queries }: ModeResult,
  before: { readonly name: string; readonly queries: readonly Pick<EvaluatedQuery, 'id' | 'measures'>[] },
) {
  const differences = pairedDifferences({ before: before.queries, after: queries });
  return { name: `${mode} minus ${before.name}`, ...differences };
}

function timeLine({ queryMilliseconds: { median, p95 }, hnswRecall }: ModeResult): string {
  const time = `Query time: ${median.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (95th percentile).`;
  if (!hnswRecall) return time;
  const recall = formatInterval(hnswRecall);
  return `${time}\nHNSW recall@${hnswRecall.k} against the exact index, ${hnswRecall.queries} queries: ${recall}`;
}

function indexingLine({ corpus, files, passages, embedded, seconds, passagesPerSecond, cached }: Indexing): string {
  const rate = `${embedded} embedded in ${seconds.toFixed(1)} s (${passagesPerSecond.toFixed(1)}/s)`;
  return `${corpus}: ${files} files, ${passages} passages; ${rate}${cached ? ' by an earlier run' : ''}.`;
}
