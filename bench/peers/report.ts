import { differencesTable, pairedDifferences, summaryTable, textTable } from 'waymark/evaluation';
import { overallRows } from '../quality/summary.js';
import type { Latencies } from '../support/statistics/latencies.js';
import type { ContenderResult } from './measure.js';

const MEASURES = ['RR@10', 'Recall@5', 'IoU@1', 'lines@10'];

/** Text for the terminal: first the cost of each contender, then the quality. */
export function peersReport(results: readonly ContenderResult[]): string {
  const [first, ...others] = results;
  const differences = others.map((other) => ({
    name: `${first?.name} minus ${other.name}`,
    ...pairedDifferences({ before: other.queries, after: first?.queries ?? [] }),
  }));
  const overall = results.flatMap(({ name, summary }) =>
    overallRows(summary).map(({ corpus: _, ...row }) => ({ name, ...row })),
  );
  return [
    'Seconds of indexing and milliseconds of a search for ten passages; in brackets with embeddings cached:\n',
    costTable(results),
    summaryTable(overall, { of: 'contender', measures: MEASURES }),
    ...(differences.length > 0 ? [differencesTable(differences, { measures: MEASURES })] : []),
  ].join('\n');
}

function costTable(results: readonly ContenderResult[]): string {
  return textTable(['contender', 'mode', 'passages', 'indexing', 'p50', 'p95'], {
    left: 2,
    rows: results.map(({ name, mode, passages, indexing, latency }) => {
      const both = (of: (latencies: Latencies) => number) =>
        `${of(latency.withEmbedding).toFixed(1)} (${of(latency.without).toFixed(1)})`;
      return [
        name,
        mode,
        String(passages),
        `${indexing.withEmbedding.toFixed(1)} (${indexing.without.toFixed(1)})`,
        both(({ p50 }) => p50),
        both(({ p95 }) => p95),
      ];
    }),
  });
}
