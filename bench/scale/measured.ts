import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClusterResult, SizeResult } from '../cluster/measure.js';
import { UsageError } from '../support/cli/usage-error.js';
import { RESULTS } from '../support/folders/paths.js';
import { exponentOf } from '../support/statistics/exponent.js';
import { mean } from '../support/statistics/latencies.js';

/** What the plan is computed from. */
export interface Measured {
  /** Passages of the largest cluster that was measured. */
  readonly passages: number;
  /** Bytes in the memory of a node for each passage that it has a replica of. */
  readonly memory: number;
  /** Bytes on the disk of a node for each passage that it has a replica of. */
  readonly disk: number;
  /** Seconds of core time that one search takes on all nodes together. */
  readonly search: number;
  /** The exponent of the growth of `search` with the number of passages. */
  readonly growth: number;
  /** Seconds of core time that indexing a passage takes on all nodes together, without embedding it. */
  readonly indexing: number;
  /** Seconds of core time that embedding a passage takes. */
  readonly embedding: number;
}

interface Result {
  readonly machine: { readonly cores: number };
  readonly results: ClusterResult;
}

/** Reads the result of the benchmark of a cluster. */
export function readMeasured(): Measured {
  const file = path.join(RESULTS, 'cluster.json');
  if (!existsSync(file)) throw new UsageError(`There is no ${file}: run npm run bench -- cluster first.`);
  return measuredOf(JSON.parse(readFileSync(file, 'utf8')) as Result);
}

/** The figures of a result. All cores were busy while passages were indexed, and while most clients searched. */
export function measuredOf({ machine: { cores }, results }: Result): Measured {
  const bySize = results.sizes.toSorted((a, b) => a.passages - b.passages);
  const largest = bySize.at(-1);
  if (!largest) throw new UsageError('The result has no size.');
  const grown = (of: (nodes: SizeResult['nodes']) => number) =>
    ((of(largest.nodes) - of(largest.emptyNodes)) * 1e6) / largest.passages;
  const growth = exponentOf(bySize.map((size) => ({ x: size.passages, y: searchOf(size, cores) }))) ?? 0;
  return {
    passages: largest.passages,
    memory: grown((nodes) => mean(nodes.map(({ memory }) => memory))),
    disk: grown((nodes) => mean(nodes.map(({ disk }) => disk))),
    search: searchOf(largest, cores),
    growth: Math.max(0, growth),
    indexing: cores / largest.cluster.indexing,
    embedding: cores / results.withModel.database,
  };
}

function searchOf({ cluster }: SizeResult, cores: number): number {
  return cores / Math.max(...cluster.load.map(({ perSecond }) => perSecond));
}
