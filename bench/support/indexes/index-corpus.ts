import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type IndexProgress, type ModelSource, openEngine, type SearchEngine } from 'waymark';
import { UsageError } from '../cli/usage-error.js';
import type { Corpus } from '../collections/collection.js';
import { codeHash } from './code-hash.js';

export type ForcedIndex = 'exact' | 'hnsw';

/** What indexing a corpus took in the run that embedded it. */
export interface Indexing {
  readonly corpus: string;
  readonly files: number;
  readonly passages: number;
  /** Texts that were embedded; identical passages count once. */
  readonly embedded: number;
  /** From the first file read to the last embedding written. */
  readonly seconds: number;
  readonly passagesPerSecond: number;
  /** Whether these are the figures of an earlier run, because this one found all passages embedded. */
  readonly cached: boolean;
}

/** Settings in which an index may differ from the defaults of the engine. */
export interface IndexSettings {
  readonly index: ForcedIndex;
  readonly passageTokens?: number;
  readonly embedBreadcrumb?: boolean;
}

export interface IndexOptions extends IndexSettings {
  /** Folder of databases. */
  readonly cache: string;
  readonly model: ModelSource | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** Opens the cached index of a corpus and brings it up to date. */
export async function indexCorpus(
  corpus: Corpus,
  { onProgress, ...options }: IndexOptions,
): Promise<{ engine: SearchEngine; indexing: Indexing }> {
  const { cache, ...settings } = options;
  const engine = await openEngine({ database: `${pathOf(corpus, options)}.db`, ...settings });
  try {
    let embedded = 0;
    const started = performance.now();
    const { failed } = await engine.indexFolder(corpus.folder, {
      // A file whose tags change is parsed again, and so are all files when the parser changes.
      tags: { 'cut-by': codeHash('parsing') },
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
    return { engine, indexing: remember({ ...counts, embedded, seconds }, pathOf(corpus, options)) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens an index that `indexCorpus` has made, with another vector index. */
export function reopen(corpus: Corpus, { cache, model, index }: IndexOptions): Promise<SearchEngine> {
  return openEngine({ database: `${pathOf(corpus, { cache })}.db`, model, index, create: false });
}

/**
 * Path of a database without its extension. Settings that change passages or embeddings have a database of their own.
 */
function pathOf(
  { name }: Corpus,
  { cache, passageTokens, embedBreadcrumb }: Omit<IndexSettings, 'index'> & { readonly cache: string },
): string {
  const parts = [name, ...(passageTokens ? [passageTokens] : []), ...(embedBreadcrumb === false ? ['bare'] : [])];
  return path.join(cache, parts.join('-'));
}

/** Stores the figures of a run that embedded something; otherwise returns those of the run that did. */
function remember(now: Omit<Indexing, 'passagesPerSecond' | 'cached'>, database: string): Indexing {
  const file = `${database}.indexing.json`;
  if (now.embedded === 0 && existsSync(file)) {
    const then: Indexing = JSON.parse(readFileSync(file, 'utf8'));
    return { ...then, files: now.files, passages: now.passages, cached: true };
  }
  const indexing = { ...now, passagesPerSecond: now.embedded / now.seconds, cached: false };
  writeFileSync(file, JSON.stringify(indexing));
  return indexing;
}
