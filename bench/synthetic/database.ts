import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, type IndexProgress, openEngine } from 'waymark';
import { readQuestions } from 'waymark/evaluation';
import { PACKAGE_ROOT } from '../package-root.js';
import { CACHE, codeHash } from '../quality/cache.js';
import { GENERATOR, syntheticEmbedder } from './embedder.js';
import { corpusProse } from './prose.js';
import { writeDocuments } from './write-documents.js';

/** A database of Waymark that is made of synthetic files. */
export interface SyntheticDatabase {
  /** Path of the SQLite file. */
  readonly database: string;
  /** A new embedder of its passages, to be given to `openEngine` as `model`. */
  readonly embedder: () => Promise<Embedder>;
  /** Questions about the corpus that its texts are drawn from. */
  readonly queries: readonly string[];
}

/**
 * A database of so many passages. It is kept in the system's temporary folder, so that benchmarks share it; not to be
 * written to.
 */
export async function syntheticDatabase(
  passages: number,
  options?: { readonly onProgress?: (progress: IndexProgress) => void },
): Promise<SyntheticDatabase> {
  const folder = path.join(CACHE, `synthetic-${passages}-${generatorHash()}`);
  if (!existsSync(folder)) await make(folder, { passages, onProgress: options?.onProgress });
  const questions = readQuestions(path.join(PACKAGE_ROOT, 'corpus', 'queries.jsonl'));
  return {
    database: path.join(folder, NAME),
    embedder: syntheticEmbedder,
    queries: questions.map(({ text }) => text),
  };
}

const NAME = 'waymark.db';

/** Of all that decides what is in a database. */
function generatorHash(): string {
  const made = [GENERATOR, corpusProse(), codeHash('store/migrations.js'), codeHash('markdown')];
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
}

/** Made beside its place and moved there when it is whole. */
async function make(
  folder: string,
  {
    passages,
    onProgress,
  }: { readonly passages: number; readonly onProgress: ((progress: IndexProgress) => void) | undefined },
): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(`${folder}-partial-`);
  const documents = path.join(partial, 'documents');
  try {
    writeDocuments(documents, { passages });
    const engine = await openEngine({ database: path.join(partial, NAME), model: await syntheticEmbedder() });
    try {
      await engine.indexFolder(documents, { onProgress });
    } finally {
      await engine.close();
    }
    rmSync(documents, { recursive: true });
    // Another process may have been faster: then its database serves.
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
