import { differencesTable, pairedDifferences, summaryTable, textTable } from 'waymark/evaluation';
import type { Latencies } from '../http/latencies.js';
import type { ContenderResult } from './measure.js';

const MEASURES = ['RR@10', 'Recall@5', 'IoU@1', 'lines@10'];

/** A result as a person reads it: what it costs, then how well it is answered. */
export function report({ results }: { readonly results: readonly ContenderResult[] }): string {
  const [first, ...others] = results;
  const differences = others.map((other) => ({
    name: `${first?.name} minus ${other.name}`,
    ...pairedDifferences({ before: other.queries, after: first?.queries ?? [] }),
  }));
  const overall = results.flatMap(({ name, summary }) => {
    const corpus = summary.at(-1)?.corpus;
    return summary.filter((row) => row.corpus === corpus).map(({ corpus: _, ...row }) => ({ name, ...row }));
  });
  return [
    'Indexing in seconds, searching for ten in milliseconds; in brackets with the embeddings at hand:\n',
    costTable(results),
    summaryTable(overall, { of: 'contender', measures: MEASURES }),
    ...(differences.length > 0 ? [differencesTable(differences, { measures: MEASURES })] : []),
  ].join('\n');
}

function costTable(results: readonly ContenderResult[]): string {
  return textTable(['contender', 'ranking', 'passages', 'indexing', 'p50', 'p95'], {
    left: 2,
    rows: results.map(({ name, mode, passages, indexing, latency }) => {
      const shown = (of: (latencies: Latencies) => number) =>
        `${of(latency.withEmbedding).toFixed(1)} (${of(latency.without).toFixed(1)})`;
      return [
        name,
        mode,
        String(passages),
        `${indexing.withEmbedding.toFixed(1)} (${indexing.without.toFixed(1)})`,
        shown(({ p50 }) => p50),
        shown(({ p95 }) => p95),
      ];
    }),
  });
}
