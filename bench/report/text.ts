import { bootstrapDifference, type Interval } from '../measures/bootstrap.js';
import type { QueryResult } from '../quality/evaluate.js';
import type { Indexing } from '../quality/index-corpus.js';
import type { RunResult } from '../quality/quality.js';
import { ALL, type SummaryRow } from '../quality/summary.js';
import type { EarlierResult, ResultFile } from './result-file.js';
import { table } from './table.js';

/** A result as a person reads it; where there is an earlier one, with what changed since. */
export function reportOf(result: ResultFile, before?: EarlierResult): string {
  const { collection, settings, indexing, runs } = result;
  const parts = runs.flatMap((run) => [
    `${collection}: ${run.mode} ranking, ${settings.index} index, ${settings.model}\n`,
    summaryTable(run.summary),
    queriesLine(run),
    '',
  ]);
  const comparisons = runs.flatMap((run) => {
    const [first] = runs;
    const earlier = before?.runs.find(({ mode }) => mode === run.mode);
    return [
      ...(first && first !== run ? [differences(run, { ...first, name: first.mode })] : []),
      ...(earlier && before ? [differences(run, { ...earlier, name: `${before.date} ${before.commit ?? ''}` })] : []),
    ];
  });
  return `${[...parts, ...comparisons, ...indexing.map(indexingLine)].join('\n')}\n`;
}

function summaryTable(rows: readonly SummaryRow[]): string {
  const names = Object.keys(rows.at(-1)?.measures ?? {});
  const separated = rows.some(({ auroc }) => auroc);
  return table(['corpus', 'kind', 'n', ...names, ...(separated ? ['AUROC'] : [])], {
    left: 2,
    rows: rows.map(({ corpus, type, n, measures, auroc }) => [
      corpus,
      type,
      String(n),
      ...names.map((name) => shown(measures[name])),
      auroc && type === ALL ? `${auroc.value.toFixed(3)} (${auroc.answerable}:${auroc.unanswerable})` : '',
    ]),
  });
}

function queriesLine({ queryMilliseconds: { median, p95 }, hnswRecall }: RunResult): string {
  const time = `A query takes ${median.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (95th percentile).`;
  return hnswRecall
    ? `${time}\nHNSW recall@${hnswRecall.k} against the exact index, ${hnswRecall.queries} queries: ${shown(hnswRecall)}`
    : time;
}

function indexingLine({ corpus, files, passages, embedded, seconds, passagesPerSecond, cached }: Indexing): string {
  const rate = `${embedded} embedded in ${seconds.toFixed(1)} s (${passagesPerSecond.toFixed(1)}/s)`;
  return `${corpus}: ${files} files, ${passages} passages; ${rate}${cached ? ' by an earlier run' : ''}.`;
}

interface Compared {
  readonly queries: readonly Pick<QueryResult, 'id' | 'measures'>[];
}

/** Mean differences over the queries that both have; `*` where the interval leaves out 0. */
function differences(run: Compared & { mode: string }, other: Compared & { name: string }): string {
  const earlier = new Map(other.queries.map(({ id, measures }) => [id, measures]));
  const pairs = run.queries.flatMap(({ id, measures }) => {
    const before = earlier.get(id);
    return before ? [{ before, after: measures }] : [];
  });
  const names = [...new Set(pairs.flatMap(({ after }) => Object.keys(after)))];
  const rows = names.map((name) => {
    const both = pairs.filter(({ before, after }) => before[name] !== undefined && after[name] !== undefined);
    if (both.length === 0) return [name, '0', ''];
    const change = bootstrapDifference({
      before: both.map(({ before }) => before[name] ?? 0),
      after: both.map(({ after }) => after[name] ?? 0),
    });
    const sure = change.low > 0 || change.high < 0;
    return [name, String(both.length), `${shown(change)}${sure ? ' *' : '  '}`];
  });
  return `${run.mode} minus ${other.name}\n${table(['measure', 'n', 'difference'], { rows, left: 1 })}`;
}

/** Mean and 95 % interval. */
function shown(interval: Interval | undefined): string {
  if (!interval) return '';
  const { mean, low, high } = interval;
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
