import { textTable } from 'waymark/evaluation';
import { formatExponent } from '../support/statistics/exponent.js';
import { SHARES } from './buckets.js';
import { type Comparison, comparisonLines, formatShare } from './comparison.js';
import type { Growth } from './growth.js';
import type { ContenderResult, Note } from './measure-size.js';

export interface VectorsResult {
  /** Vectors that were embedded; the others are perturbed copies of them. */
  readonly embedded: number;
  readonly dimensions: number;
  readonly rounds: number;
  readonly results: readonly ContenderResult[];
  readonly notes: readonly Note[];
  readonly growth: readonly Growth[];
  readonly comparisons: readonly Comparison[];
}

const NONE = '—';

/** Text for the terminal. */
export function vectorsReport({ results, notes, growth, comparisons, embedded }: VectorsResult): string {
  const grows = growth.some(({ search }) => search !== undefined);
  return [
    `Milliseconds of a search for ten neighbours among copies of ${embedded} embeddings:\n`,
    searchTable(results),
    'Median milliseconds and recall with filters that pass a share of the vectors:\n',
    filterTable(results),
    ...(grows ? ['Growth with the number of vectors:\n', growthTable(growth)] : []),
    ...notes.map(({ contender, size, note }) => `${contender}, ${size} vectors: ${note}`),
    ...comparisonLines(comparisons),
    '',
  ].join('\n');
}

function searchTable(results: readonly ContenderResult[]): string {
  const headings = ['vectors', 'queries', 'build s', 'load s', 'memory MiB', 'p50', 'p95', 'recall@10'];
  return textTable(['contender', 'setting', ...headings], {
    left: 2,
    rows: results.map((result) => {
      const [unfiltered] = result.searches;
      return [
        result.contender,
        result.setting,
        String(result.size),
        String(result.queries),
        result.buildSeconds.toFixed(2),
        result.loadSeconds?.toFixed(2) ?? NONE,
        result.memoryMiB.toFixed(0),
        unfiltered?.p50.toFixed(2) ?? NONE,
        unfiltered?.p95.toFixed(2) ?? NONE,
        unfiltered?.recall.toFixed(3) ?? NONE,
      ];
    }),
  });
}

function filterTable(results: readonly ContenderResult[]): string {
  const shares = SHARES.filter((share) => share < 1);
  return textTable(['contender', 'vectors', ...shares.flatMap((share) => [formatShare(share), 'recall'])], {
    left: 1,
    rows: results.map(({ contender, size, searches }) => [
      contender,
      String(size),
      ...shares.flatMap((share) => {
        const filtered = searches.find((one) => one.share === share);
        return filtered ? [filtered.p50.toFixed(2), filtered.recall.toFixed(3)] : [NONE, NONE];
      }),
    ]),
  });
}

function growthTable(growth: readonly Growth[]): string {
  return textTable(['contender', 'build', 'search'], {
    left: 1,
    rows: growth.map(({ contender, build, search }) => [contender, formatExponent(build), formatExponent(search)]),
  });
}
