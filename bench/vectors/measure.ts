import path from 'node:path';
import type { Corpus } from '../support/collections/collection.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { log } from '../support/report/progress.js';
import { baseEmbeddings } from './base-embeddings.js';
import { comparisonsOf } from './comparison.js';
import { growthOf } from './growth.js';
import { type ContenderResult, measureSize, type Note, type SizeOptions } from './measure-size.js';
import { perturbedCopies, queriesNear } from './perturbed-copies.js';
import type { VectorsResult } from './report.js';
import { writeVectors } from './vector-file.js';

export interface VectorsOptions extends Omit<SizeOptions, 'queries' | 'folder'> {
  /** Markdown whose embeddings are the base. */
  readonly corpora: readonly Corpus[];
  readonly sizes: readonly number[];
  /** Number of queries. */
  readonly queries: number;
}

export async function measureVectors({
  corpora,
  sizes,
  queries: count,
  ...options
}: VectorsOptions): Promise<VectorsResult> {
  log(`embedding ${corpora.map(({ name }) => name).join(', ')}`);
  const base = await baseEmbeddings(corpora);
  const dimensions = base[0]?.length ?? 0;
  const queries = queriesNear(base, { count, seed: 'queries' });
  return inTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'vectors.f32');
    writeVectors(file, perturbedCopies(base, { count: Math.max(...sizes), seed: 'vectors' }));
    const results: ContenderResult[] = [];
    const notes: Note[] = [];
    for (const size of sizes) {
      const measured = await measureSize({ file, dimensions, count: size }, { ...options, queries, folder });
      results.push(...measured.results);
      notes.push(...measured.notes);
    }
    const { rounds } = options;
    const derived = { growth: growthOf(results), comparisons: comparisonsOf(results) };
    return { embedded: base.length, dimensions, rounds, results, notes, ...derived };
  });
}
