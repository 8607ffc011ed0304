import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, openEngine } from 'waymark';
import { corpusQueries } from '../corpus/questions.js';
import { CACHE } from '../folders/paths.js';
import { codeHash } from '../indexes/code-hash.js';
import { progressLogger } from '../report/progress.js';
import { GENERATOR, syntheticEmbedder } from './embedder.js';
import { corpusProse } from './prose.js';
import { writeDocuments } from './write-documents.js';

/** A database of synthetic files. */
export interface SyntheticDatabase {
  /** Path of the SQLite file. */
  readonly database: string;
  /** Opens the embedder of its passages, to be passed to `openEngine` as `model`. */
  readonly embedder: () => Promise<Embedder>;
  /** Questions about the corpus from which its texts are drawn. */
  readonly queries: readonly string[];
}

const NAME = 'waymark.db';

/** The cached database of so many passages, created if needed. It is shared by runs and must not be changed. */
export async function syntheticDatabase(passages: number): Promise<SyntheticDatabase> {
  const folder = path.join(CACHE, `synthetic-${passages}-${generatorHash()}`);
  if (!existsSync(folder)) await create(folder, { passages });
  return { database: path.join(folder, NAME), embedder: syntheticEmbedder, queries: corpusQueries() };
}

/** Hash of everything that decides the content of a database. */
function generatorHash(): string {
  const content = [GENERATOR, corpusProse(), codeHash('schema'), codeHash('parsing')];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

/** Creates the database in another folder, which is renamed when it is complete. */
async function create(folder: string, { passages }: { readonly passages: number }): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(`${folder}-partial-`);
  const documents = path.join(partial, 'documents');
  const onProgress = progressLogger();
  try {
    writeDocuments(documents, { passages });
    const engine = await openEngine({ database: path.join(partial, NAME), model: await syntheticEmbedder() });
    try {
      await engine.indexFolder(documents, {
        onProgress: (progress) => onProgress(`${passages} synthetic passages`, progress),
      });
    } finally {
      await engine.close();
    }
    rmSync(documents, { recursive: true });
    // Another process may have been faster; its database serves both.
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
