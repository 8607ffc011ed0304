import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WaymarkError } from '../domain/errors.js';
import type { Tags } from '../domain/passage.js';
import type { Embedder } from '../embed/embedder.js';
import type { Cutting } from '../formats/markdown/gather.js';
import type { FileToPut, PassageStore, StoredFile } from '../storage/passage-store.js';
import { type Diff, diff } from './diff.js';
import { embedPending } from './embed-pending.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { ParsePool } from './parsing/parse-pool.js';
import { contentTypeOf, isCurrent, pipelineOf, prepareFile } from './prepare-file.js';
import { type IndexProgress, ProgressMeter } from './progress.js';
import { type ReadFile, readUtf8 } from './read-file.js';
import { type Failure, type FoundFile, walk } from './walk.js';

export interface IndexFolderOptions {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Patterns in .gitignore syntax, relative to the folder. */
  readonly ignore?: readonly string[] | undefined;
  /** For every file of the folder; a tag of the same name in a file's front matter gives way. */
  readonly tags?: Tags | undefined;
  /** Stops the run; what is done stays, and the next run goes on from there. */
  readonly signal?: AbortSignal | undefined;
}

/** Numbers of files, and what went wrong. */
export interface IndexFolderResult {
  readonly added: number;
  readonly updated: number;
  readonly moved: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Not indexed; what was indexed of them before is as it was. */
  readonly failed: readonly Failure[];
  /** Indexed, but not quite understood. */
  readonly warnings: readonly Failure[];
}

/** What the stages of indexing work with. */
export interface Indexing {
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly parser: ParsePool;
  readonly cutting: Cutting;
  /** Folders are remembered relative to this one. */
  readonly base: string;
}

/** Makes the index hold what a folder holds: new and changed files read and cut, gone ones removed, then all embedded. */
export async function indexFolder(
  folder: string,
  { onProgress, ignore = [], tags = {}, signal, ...indexing }: IndexFolderOptions & Indexing,
): Promise<IndexFolderResult> {
  const { store, base } = indexing;
  const { files, failed } = await walk(folder, { patterns: ignore });
  const origin =
    path
      .relative(base, await realpath(folder))
      .split(path.sep)
      .join('/') || '.';
  const pipeline = pipelineOf({ tags, metadata: {}, cutting: indexing.cutting });
  const claims = (file: StoredFile) => existsSync(path.resolve(base, file.folder ?? '', file.key));
  const stored = await store.files();
  const changes = diff(files, { stored, folder: origin, pipeline, failed, claims });
  const meter = new ProgressMeter(onProgress);
  const reader = new FolderReader(changes, { ...indexing, folder: origin, pipeline, tags });

  meter.start('read', changes.toRead.length);
  await forEachConcurrent(changes.toRead, {
    concurrency: indexing.parser.size + 1,
    signal,
    work: async ({ found, stored }) => {
      await reader.read(found, stored);
      meter.advance(1);
    },
  });
  await forEachConcurrent(reader.vanished, {
    concurrency: 1,
    signal,
    work: async ({ key }) => {
      await store.remove(key);
      // The store may not wait for anything: the event loop has its turn.
      await setImmediate();
    },
  });
  await embedPending({ store, embedder: indexing.embedder, meter, signal });
  await store.flush({ signal });
  const { added, updated, moved, unchanged, warnings } = reader;
  const byKey = (a: Failure, b: Failure) => (a.key < b.key ? -1 : 1);
  return {
    added,
    updated,
    moved,
    removed: reader.vanished.size,
    unchanged: unchanged + changes.unchanged.length,
    failed: [...failed, ...changes.failed, ...reader.failed].sort(byKey),
    warnings: warnings.sort(byKey),
  };
}

interface Reading extends Indexing {
  readonly folder: string;
  readonly pipeline: string;
  readonly tags: Tags;
}

/** Reads the files of a diff one by one and keeps the tally. */
class FolderReader {
  readonly vanished: Set<StoredFile>;
  readonly failed: Failure[] = [];
  readonly warnings: Failure[] = [];
  added = 0;
  updated = 0;
  moved = 0;
  unchanged = 0;
  readonly #reading: Reading;
  readonly #vanishedByHash = new Map<string, StoredFile[]>();

  constructor({ vanished }: Diff, reading: Reading) {
    this.vanished = new Set(vanished);
    for (const file of vanished) {
      const same = this.#vanishedByHash.get(file.hash);
      if (same) same.push(file);
      else this.#vanishedByHash.set(file.hash, [file]);
    }
    this.#reading = reading;
  }

  async read({ key, path: file, mtime }: FoundFile, stored: StoredFile | undefined): Promise<void> {
    const { store, parser, folder, pipeline, tags } = this.#reading;
    const origin = {
      key,
      folder,
      mtime,
      pipeline,
      indexedAt: Date.now(),
      tags,
      metadata: {},
      contentType: contentTypeOf(key),
    };
    let read: ReadFile;
    let prepared: FileToPut | undefined;
    let same: StoredFile | undefined;
    try {
      read = await readUtf8(file);
      if (isCurrent(stored, { hash: read.hash, pipeline })) same = stored;
      else if (!stored) same = this.#takeMoved(read.hash, origin.contentType);
      if (!same) prepared = await prepareFile(read, origin, parser);
    } catch (error) {
      if (error instanceof WaymarkError && error.code !== 'INVALID_ARGUMENT') throw error;
      this.failed.push({ key, reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (prepared) {
      await store.put(prepared);
      if (stored) this.updated++;
      else this.added++;
      this.warnings.push(...prepared.warnings.map((reason) => ({ key, reason })));
    } else if (same) {
      await store.touch(same.id, { ...origin, size: read.size });
      if (same.key === key && same.folder === folder) this.unchanged++;
      else this.moved++;
    }
  }

  /** A file that vanished from its place with just these bytes has moved here. */
  #takeMoved(hash: string, contentType: string): StoredFile | undefined {
    const moved = this.#vanishedByHash
      .get(hash)
      ?.find(
        (file) =>
          this.vanished.has(file) &&
          file.pipeline === this.#reading.pipeline &&
          contentTypeOf(file.key) === contentType,
      );
    if (moved) this.vanished.delete(moved);
    return moved;
  }
}
