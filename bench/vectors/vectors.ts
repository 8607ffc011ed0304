import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Corpus } from '../collections/collection.js';
import { baseEmbeddings } from './base-embeddings.js';
import { growthOf } from './growth.js';
import { measureSize, type Note, type SideResult, type SizeOptions } from './measure.js';
import { copiesOf, queriesNear } from './perturb.js';
import type { VectorsResult } from './report.js';
import { writeVectors } from './vector-file.js';
import { verdictsOf } from './verdict.js';

export interface VectorsOptions extends Omit<SizeOptions, 'queries' | 'folder'> {
  /** Folders of markdown whose embeddings are the base. */
  readonly corpora: readonly Corpus[];
  readonly sizes: readonly number[];
  /** Queries that are asked. */
  readonly count: number;
}

const SEEDS = { vectors: 1, queries: 2 } as const;

/** All sides over sets of growing size, made of real embeddings. */
export async function measureVectors({ corpora, sizes, count, ...options }: VectorsOptions): Promise<VectorsResult> {
  options.onProgress(`embedding ${corpora.map(({ name }) => name).join(', ')}`);
  const base = await baseEmbeddings(corpora);
  const dimensions = base[0]?.length ?? 0;
  const queries = queriesNear(base, { count, seed: SEEDS.queries });
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-vectors-'));
  const results: SideResult[] = [];
  const notes: Note[] = [];
  try {
    const file = path.join(folder, 'vectors.f32');
    writeVectors(file, copiesOf(base, { count: Math.max(...sizes), seed: SEEDS.vectors }));
    for (const size of sizes) {
      const measured = await measureSize({ file, dimensions, count: size }, { ...options, queries, folder });
      results.push(...measured.results);
      notes.push(...measured.notes);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { rounds } = options;
  const shown = { results, notes, growth: growthOf(results), verdicts: verdictsOf(results) };
  return { embedded: base.length, dimensions, rounds, ...shown };
}
