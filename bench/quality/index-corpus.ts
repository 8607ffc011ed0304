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

/** What else an index may be made and searched with than what the engine does by itself. */
export interface IndexSettings {
  readonly index: IndexKind;
  readonly passageTokens?: number;
  readonly embedBreadcrumb?: boolean;
}

export interface IndexOptions extends IndexSettings {
  /** Folder of databases. */
  readonly cache: string;
  readonly model: ModelSource | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** An engine over an index that holds a corpus as it is now; made or brought up to date. */
export async function indexCorpus(
  corpus: Corpus,
  { onProgress, ...options }: IndexOptions,
): Promise<{ engine: SearchEngine; indexing: Indexing }> {
  const { cache, ...settings } = options;
  const engine = await openEngine({ database: `${placeOf(corpus, options)}.db`, ...settings });
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
    return { engine, indexing: remember({ ...counts, embedded, seconds }, placeOf(corpus, options)) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The same index again, with another kind of search. */
export function reopen(corpus: Corpus, { cache, model, index }: IndexOptions): Promise<SearchEngine> {
  return openEngine({ database: `${placeOf(corpus, { cache })}.db`, model, index, create: false });
}

/** Path of a corpus' database without its ending: texts that are cut or embedded otherwise are an index of their own. */
function placeOf(
  { name }: Corpus,
  { cache, passageTokens, embedBreadcrumb }: Omit<IndexSettings, 'index'> & { readonly cache: string },
): string {
  const parts = [name, ...(passageTokens ? [passageTokens] : []), ...(embedBreadcrumb === false ? ['bare'] : [])];
  return path.join(cache, parts.join('-'));
}

/** Where nothing was embedded, what the run took that embedded it. */
function remember(now: Omit<Indexing, 'passagesPerSecond' | 'cached'>, place: string): Indexing {
  const file = `${place}.indexing.json`;
  if (now.embedded === 0 && existsSync(file)) {
    const then: Indexing = JSON.parse(readFileSync(file, 'utf8'));
    return { ...then, files: now.files, passages: now.passages, cached: true };
  }
  const indexing = { ...now, passagesPerSecond: now.embedded / now.seconds, cached: false };
  writeFileSync(file, JSON.stringify(indexing));
  return indexing;
}
