import { textTable } from 'waymark/evaluation';
import { SHARES } from './bucket.js';
import type { Growth } from './growth.js';
import type { Note, SideResult } from './measure.js';
import { showShare, type Verdict, verdictLines } from './verdict.js';

export interface VectorsResult {
  /** Vectors that were embedded; the others are perturbed copies of them. */
  readonly embedded: number;
  readonly dimensions: number;
  readonly rounds: number;
  readonly results: readonly SideResult[];
  readonly notes: readonly Note[];
  readonly growth: readonly Growth[];
  readonly verdicts: readonly Verdict[];
}

/** A result as a person reads it. */
export function report(result: VectorsResult): string {
  const { results, notes, growth, verdicts, embedded } = result;
  return [
    `Searches for ten among copies of ${embedded} embeddings, milliseconds; recall against exact:\n`,
    sidesTable(results),
    'Median milliseconds and recall with filters that pass a share of the vectors:\n',
    filtersTable(results),
    ...(growth.some(({ search }) => search !== undefined)
      ? ['Growth with the number of vectors (exponents: 1 is in proportion):\n', growthTable(growth)]
      : []),
    ...notes.map(({ side, size, note }) => `${side}, ${size} vectors: ${note}`),
    ...verdictLines(verdicts),
    '',
  ].join('\n');
}

function sidesTable(results: readonly SideResult[]): string {
  return textTable(
    ['side', 'setting', 'vectors', 'queries', 'build s', 'load s', 'memory MiB', 'p50', 'p95', 'recall@10'],
    {
      left: 2,
      rows: results.map(({ side, setting, size, queries, buildSeconds, loadSeconds, memoryMiB, searches: [all] }) => [
        side,
        setting,
        String(size),
        String(queries),
        buildSeconds.toFixed(2),
        loadSeconds?.toFixed(2) ?? '—',
        memoryMiB.toFixed(0),
        all?.p50.toFixed(2) ?? '—',
        all?.p95.toFixed(2) ?? '—',
        all?.recall.toFixed(3) ?? '—',
      ]),
    },
  );
}

function filtersTable(results: readonly SideResult[]): string {
  const shares = SHARES.filter((share) => share < 1);
  return textTable(['side', 'vectors', ...shares.flatMap((share) => [showShare(share), 'recall'])], {
    left: 1,
    rows: results.map(({ side, size, searches }) => [
      side,
      String(size),
      ...shares.flatMap((share) => {
        const found = searches.find((one) => one.share === share);
        return found ? [found.p50.toFixed(2), found.recall.toFixed(3)] : ['—', '—'];
      }),
    ]),
  });
}

function growthTable(growth: readonly Growth[]): string {
  const shown = (exponent: number | undefined) => exponent?.toFixed(2) ?? '—';
  return textTable(['side', 'build', 'search'], {
    left: 1,
    rows: growth.map(({ side, build, search }) => [side, shown(build), shown(search)]),
  });
}
