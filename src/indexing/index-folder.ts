import { existsSync } from 'node:fs';
import path from 'node:path';
import { hasCode } from '../domain/errors.js';
import type { Tags } from '../domain/passage.js';
import type { TagRule } from '../storage/folders.js';
import type { PassageStore, StoredFile } from '../storage/passage-store.js';
import { embedPending, type RejectedText } from './embedding/embed-pending.js';
import { type Compared, diff } from './folder/diff.js';
import { FolderMap, prefixOf } from './folder/folder-map.js';
import { FolderReader } from './folder/folder-reader.js';
import { filesInside } from './folder/folders-above.js';
import { tagger } from './folder/tagger.js';
import { byKey, type Failure, realFolder, type Walk, walk } from './folder/walk.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import type { Indexing } from './indexing.js';
import { pipelineOf } from './pipeline.js';
import { type IndexProgress, ProgressMeter } from './progress.js';

/** Options of `indexFolder`. */
export interface IndexFolderOptions {
  /** Called as files are read and passages are embedded. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /**
   * Files to skip: patterns in .gitignore syntax, relative to the folder. Defaults to those of the last run; `[]` skips
   * none.
   */
  readonly ignore?: readonly string[] | undefined;
  /**
   * Tags of every file in the folder. They override tags of the same name in a file's front matter. Defaults to those
   * of the last run; `{}` sets none.
   */
  readonly tags?: Tags | undefined;
  /** Tags of some files, which override `tags`. Defaults to those of the last run; `[]` sets none. */
  readonly tagRules?: readonly TagRule[] | undefined;
  /**
   * Whether to compare the bytes of all files. Defaults to false: a file whose size, times and inode are as they were
   * is not read.
   */
  readonly verify?: boolean | undefined;
  /** Stops the run. Finished work stays, and the next run continues from there. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `indexFolder`: numbers of files, and what went wrong. */
export interface IndexFolderResult {
  /** New files. */
  readonly added: number;
  /** Files whose bytes or settings changed. */
  readonly updated: number;
  /** Files with the bytes of one that is no longer in its place. */
  readonly moved: number;
  /** Files that are no longer in the folder. */
  readonly removed: number;
  /** Files that needed no work. */
  readonly unchanged: number;
  /**
   * Files that could not be indexed: what was indexed of them before stays, and so does what another call did to them
   * meanwhile. Also indexed files with a text that the embedder rejects, which is found by its words only.
   */
  readonly failed: readonly Failure[];
  /** Indexed files with something that the parser could not understand. */
  readonly warnings: readonly Failure[];
}

/** How a folder is indexed, and with what. */
export interface FolderIndexing extends Omit<IndexFolderOptions, 'signal'>, Indexing {
  /** The folder as it is recorded. Defaults to its real path, relative to `base`. */
  readonly folder?: string | undefined;
  /** What the keys of its files begin with, before a slash. Defaults to nothing. */
  readonly name?: string | undefined;
  /** The folders that the bot knows, this one included. */
  readonly known?: FolderMap | undefined;
}

/** A folder on disk, and which of its files are read. */
interface Source {
  /** Its absolute path. */
  readonly root: string;
  /** The folder as it is stored. */
  readonly folder: string;
  readonly known: FolderMap;
  readonly prefix: string;
  readonly patterns: readonly string[] | undefined;
  readonly without: ReadonlySet<string>;
}

async function sourceOf(
  given: string,
  { base, name = '', known = new FolderMap([], base), ignore: patterns, ...recorded }: FolderIndexing,
): Promise<Source> {
  const root = await realFolder(given);
  const { folder = known.folderOf(root) } = recorded;
  return { root, folder, known, prefix: prefixOf(name), patterns, without: known.innerPaths(folder) };
}

/**
 * Updates the index to match a folder: reads new and changed files, removes deleted ones, then embeds. Throws
 * `FOLDER_MISSING`, `ABORTED`.
 */
export async function indexFolder(folder: string, options: FolderIndexing): Promise<IndexFolderResult> {
  const source = await sourceOf(folder, options);
  // Listed first: a file that another process adds during the walk must not count as removed.
  const stored = await options.store.files();
  return update(source, { found: await walk(source.root, source), stored }, options);
}

/**
 * Updates the index to match some files of a folder, by their keys. A key without a file is removed from the index;
 * other files are not read. Throws `FOLDER_MISSING`, `ABORTED`.
 */
export async function indexPaths(
  folder: string,
  keys: readonly string[],
  options: FolderIndexing,
): Promise<IndexFolderResult> {
  const source = await sourceOf(folder, options);
  const stored = await storedUnder(keys, options.store);
  return update(source, { found: await walk(source.root, { ...source, keys }), stored }, options);
}

async function storedUnder(keys: readonly string[], store: PassageStore): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const key of new Set(keys)) {
    const file = await store.file(key);
    if (file) stored.push(file);
  }
  return stored;
}

/** The result of runs over one folder, one after the other: what all of them did, and what is left after the last. */
export function sumOf(results: readonly IndexFolderResult[]): IndexFolderResult {
  return results.reduce((before, last) => {
    // A file that has not changed since is not parsed again: its warnings are those before.
    const earlier = before.warnings.filter(({ key }) => last.warnings.every((warning) => warning.key !== key));
    return {
      ...last,
      added: before.added + last.added,
      updated: before.updated + last.updated,
      moved: before.moved + last.moved,
      removed: before.removed + last.removed,
      // For the last run, the files that those before it have written are unchanged.
      unchanged: Math.min(before.unchanged, last.unchanged),
      warnings: [...earlier, ...last.warnings].sort(byKey),
    };
  });
}

/** Makes stored files match the files that were found. */
async function update(
  source: Source,
  { found, stored }: { readonly found: Walk; readonly stored: readonly StoredFile[] },
  { onProgress, tags = {}, tagRules = [], verify = false, ...indexing }: FolderIndexing,
): Promise<IndexFolderResult> {
  const { folder, known, prefix } = source;
  const { store, embedder, cutting, signal } = indexing;
  const tagsOf = tagger({ tags, tagRules });
  const tagsFor = (key: string) => tagsOf(key.slice(prefix.length));
  const pipelineFor = (key: string) => pipelineOf({ key, tags: tagsFor(key), metadata: {}, cutting });
  const ownership = {
    folder,
    ownerOf: (file: StoredFile) => known.ownerOf(file),
    existingPathOf: (file: StoredFile) => {
      const place = known.pathOf(file);
      // `resolve` writes it with the separators of the system, as `walk` does.
      return place !== undefined && existsSync(place) ? path.resolve(place) : undefined;
    },
  };
  const compare = (walked: Walk, files: readonly StoredFile[]) =>
    diff(walked, { ...ownership, stored: files, pipelineFor, verify });
  const changes = compare(found, stored);
  const reader = new FolderReader(changes.vanished, { ...indexing, ...ownership, pipelineFor, tagsFor });
  const meter = new ProgressMeter(onProgress);

  meter.start('read', changes.toRead.length);
  await forEachConcurrent(changes.toRead, {
    concurrency: indexing.parser.size + store.putsAtOnce,
    signal,
    work: async (file) => {
      await reader.read(file);
      meter.advance(1);
    },
  });
  await forEachConcurrent(reader.vanished, { concurrency: 1, signal, work: (file) => reader.remove(file) });
  if (changes.vanished.length > 0) {
    // A process that watches the folder may have seen a file come back before it was removed.
    const back = await walkAgain(source, changes.vanished);
    const keys = back.files.map(({ key }) => key);
    const files = await storedUnder(keys, store);
    const work = (file: Compared) => reader.read(file);
    await forEachConcurrent(compare(back, files).toRead, { concurrency: 1, signal, work });
    // If it has replaced a folder, that process may not have known the files in it.
    const inside = keys.length > 0 ? filesInside(keys, found.files) : [];
    await forEachConcurrent(inside, { concurrency: 1, signal, work: (file) => reader.removeIfGone(file) });
  }
  await forEachConcurrent(changes.unrecorded, { concurrency: 1, signal, work: (file) => reader.record(file) });
  const rejected: RejectedText[] = [];
  await embedPending({ store, embedder, meter, signal, onRejected: (text) => rejected.push(text) });
  await store.flush({ signal });
  return {
    ...reader.counts,
    unchanged: reader.counts.unchanged + changes.unchanged,
    failed: [...found.failed, ...changes.failed, ...reader.failed, ...(await failures(rejected, store))].sort(byKey),
    warnings: [...reader.warnings].sort(byKey),
  };
}

/** Those of some files that are there now; none if the folder is gone by now, which the next run reports. */
async function walkAgain(source: Source, files: readonly StoredFile[]): Promise<Walk> {
  try {
    return await walk(source.root, { ...source, keys: files.map(({ key }) => key) });
  } catch (error) {
    if (hasCode(error, 'FOLDER_MISSING')) return { files: [], failed: [] };
    throw error;
  }
}

/** The files of rejected texts, each with the first reason. */
async function failures(rejected: readonly RejectedText[], store: PassageStore): Promise<Failure[]> {
  const reasons = new Map<string, string>();
  for (const { id, reason } of rejected) {
    for (const key of await store.keysOf(id)) {
      if (!reasons.has(key)) reasons.set(key, `a passage of it is found by its words only: ${reason}`);
    }
  }
  return Array.from(reasons, ([key, reason]) => ({ key, reason }));
}
