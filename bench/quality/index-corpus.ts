import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type IndexProgress, type ModelSource, openEngine, type SearchEngine } from 'waymark';
import type { Corpus } from '../collections/collection.js';
import { UsageError } from '../usage-error.js';
import { codeHash } from './cache.js';

export type IndexKind = 'exact' | 'hnsw';

/** What indexing a corpus took, when its passages were embedded. */
export interface Indexing {
  readonly corpus: string;
  readonly files: number;
  readonly passages: number;
  /** Texts embedded in the run that was timed: passages, those of the same text once. */
  readonly embedded: number;
  /** From the first file read to the last embedding written. */
  readonly seconds: number;
  /** Embedded texts a second of all that time. */
  readonly passagesPerSecond: number;
  /** Whether an earlier run was timed, and this one found its passages. */
  readonly cached: boolean;
}

export interface IndexOptions {
  /** Folder of databases. */
  readonly cache: string;
  readonly model: ModelSource | undefined;
  readonly index: IndexKind;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** An engine over an index that holds a corpus as it is now; made or brought up to date. */
export async function indexCorpus(
  corpus: Corpus,
  { cache, model, index, onProgress }: IndexOptions,
): Promise<{ engine: SearchEngine; indexing: Indexing }> {
  const engine = await openEngine({ database: databaseOf(corpus, cache), model, index });
  try {
    let embedded = 0;
    const started = performance.now();
    const { failed } = await engine.indexFolder(corpus.folder, {
      // A file's tags are part of what its passages depend on: with other code, files are cut again.
      tags: { 'cut-by': codeHash('markdown') },
      onProgress: (progress) => {
        embedded = progress.passages.done;
        onProgress?.(corpus.name, progress);
      },
    });
    const seconds = (performance.now() - started) / 1000;
    const [first] = failed;
    if (first) throw new UsageError(`${first.key} of ${corpus.name} was not indexed: ${first.reason}.`);
    const { files, passages } = await engine.status();
    const counts = { corpus: corpus.name, files, passages };
    return { engine, indexing: remember({ ...counts, embedded, seconds }, cache) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The same index again, with another kind of search. */
export function reopen(corpus: Corpus, { cache, model, index }: IndexOptions): Promise<SearchEngine> {
  return openEngine({ database: databaseOf(corpus, cache), model, index, create: false });
}

function databaseOf({ name }: Corpus, cache: string): string {
  return path.join(cache, `${name}.db`);
}

/** Where nothing was embedded, what the run took that embedded it. */
function remember(now: Omit<Indexing, 'passagesPerSecond' | 'cached'>, cache: string): Indexing {
  const file = path.join(cache, `${now.corpus}.indexing.json`);
  if (now.embedded === 0 && existsSync(file)) {
    const then: Indexing = JSON.parse(readFileSync(file, 'utf8'));
    return { ...then, files: now.files, passages: now.passages, cached: true };
  }
  const indexing = { ...now, passagesPerSecond: now.embedded / now.seconds, cached: false };
  writeFileSync(file, JSON.stringify(indexing));
  return indexing;
}
