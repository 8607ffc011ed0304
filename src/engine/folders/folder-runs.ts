import path from 'node:path';
import {
  type AddFolderOptions,
  validateAddedFolder,
  validateDroppedFolder,
  validateFolder,
  validateRun,
} from '../../contract/engine/index-folder.js';
import { UNCHANGED, untilAborted } from '../../domain/abortable.js';
import { hasCode } from '../../domain/errors.js';
import { changesOf, type FolderChanges } from '../../indexing/folder/changes.js';
import { realFolder } from '../../indexing/folder/walk.js';
import type { IndexFolderOptions, IndexFolderResult } from '../../indexing/index-folder.js';
import type { StoredFile } from '../../storage/passage-store.js';
import type { EngineParts } from '../engine-parts.js';
import type { EngineWork } from '../engine-work.js';
import { FolderIndexer } from './folder-indexer.js';
import { folderNamed, nameOf, withoutLinks } from './folder-names.js';
import { FolderRecords } from './folder-records.js';
import type { Changed, FolderOutcome, IndexFoldersOptions, KnownFolder, PlacedFolder } from './known-folder.js';
import { removeDroppedFiles } from './remove-dropped-files.js';
import { folderFields, type WatchedFolders } from './watcher.js';
import { Watchers } from './watchers.js';

/** The folders of a bot: adds and drops them, and brings their files up to date, one folder after the other. */
export class FolderRuns {
  readonly #parts: EngineParts;
  readonly #work: EngineWork;
  readonly #records: FolderRecords;
  readonly #indexer: FolderIndexer;
  /** The folders for a watcher. Its calls throw `ENGINE_CLOSED`. */
  readonly watched: WatchedFolders;
  readonly watchers: Watchers;
  /** Resolves when the last run has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: EngineParts, work: EngineWork) {
    this.#parts = parts;
    this.#work = work;
    this.#records = new FolderRecords(parts);
    this.#indexer = new FolderIndexer(parts, { work, records: this.#records });
    this.watched = { list: () => work.read(() => this.placed()), update: (...given) => this.update(...given) };
    this.watchers = new Watchers({ ...this.watched, warn: parts.warn });
  }

  /** The folders that the bot knows. */
  async placed(): Promise<readonly PlacedFolder[]> {
    const records = await this.#records.list();
    const map = this.#records.mapOf(records);
    return records.map((record) => ({ ...record, path: withoutLinks(map.pathOfFolder(record.folder)) }));
  }

  /** The folders that the bot knows, with the numbers of their files. */
  async list(): Promise<readonly KnownFolder[]> {
    const folders = await this.placed();
    const map = this.#records.mapOf(folders);
    const counts = new Map<string | null, number>();
    for (const file of await this.#parts.store.readable.seenFiles()) {
      const owner = map.ownerOf(file);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    return folders.map((folder) => ({ ...folder, files: counts.get(folder.folder) ?? 0 }));
  }

  /** Records a folder under a name, or changes the record of a known one. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async add(given: string, options: AddFolderOptions, signal: AbortSignal): Promise<KnownFolder> {
    const kept = validateAddedFolder(given, options);
    // Resolved now: the working folder may have changed by the time its turn comes.
    const place = path.resolve(given);
    return this.#inTurn(async () => {
      const root = await realFolder(place);
      const { record } = await this.#records.keep(root, kept, () => nameOf(root));
      await this.#parts.storage.sync();
      const known = (await this.list()).find(({ folder }) => folder === record.folder);
      return known ?? { ...record, path: root, files: 0 };
    }, signal);
  }

  /** Forgets a folder and removes its files. Throws `FOLDER_MISSING`, `INVALID_ARGUMENT`, `ABORTED`. */
  async drop(nameOrPath: string, signal: AbortSignal): Promise<KnownFolder> {
    const name = validateDroppedFolder(nameOrPath);
    // Resolved now: the working folder may change later.
    const place = path.resolve(name);
    const dropped = await this.#inTurn(async () => {
      const dropped = folderNamed({ name, place }, await this.list());
      const { store } = await this.#work.indexing({ signal });
      const map = this.#records.mapOf(await this.#records.list());
      await this.#indexer.indexInner(dropped.folder, { store, signal });
      const isIn = (file: StoredFile) => file.folder === dropped.folder || map.ownerOf(file) === dropped.folder;
      await removeDroppedFiles(isIn, { store, signal });
      await this.#records.remove(dropped.folder);
      // A run of another process may have added files meanwhile. It removes those that it adds from now on.
      await removeDroppedFiles(({ folder }) => folder === dropped.folder, { store });
      return dropped;
    }, signal);
    await this.#work.compact();
    await this.#parts.storage.sync();
    return dropped;
  }

  /** Brings the index up to date with one folder, which the bot knows from then on. Throws `INVALID_ARGUMENT`. */
  async index(given: string, options: IndexFolderOptions): Promise<IndexFolderResult> {
    const valid = validateFolder(given, options);
    // When its turn comes, the working folder may be another.
    const place = path.resolve(given);
    return this.#inTurn(async () => {
      const root = await realFolder(place);
      const { record, isNew } = await this.#records.keep(root, valid, () => '');
      const result = await this.#indexer.index(root, record, valid);
      if (isNew && (await this.#areAllKeysTaken(result))) await this.#records.remove(record.folder);
      return result;
    }, valid.signal);
  }

  /** Brings the index up to date with what has changed in a known folder. Does nothing if it was dropped meanwhile. */
  async update(known: PlacedFolder, changed: Changed): Promise<FolderOutcome> {
    return this.#inTurn(() => this.#outcome(known, {}, changed));
  }

  /** Brings the index up to date with all known folders. One that cannot be read is reported. */
  async indexAll(options: IndexFoldersOptions): Promise<readonly FolderOutcome[]> {
    const run = validateRun(options);
    return this.#inTurn(async () => {
      const outcomes: FolderOutcome[] = [];
      for (const known of await this.placed()) {
        try {
          const outcome = await this.#outcome(known, run);
          if (outcome.result) outcomes.push(outcome);
        } catch (error) {
          if (!hasCode(error, 'FOLDER_MISSING')) throw error;
          outcomes.push({ ...folderFields(known), problem: error.message });
        }
      }
      return outcomes;
    }, run.signal);
  }

  /** Ends all watchers. */
  async close(): Promise<void> {
    await this.watchers.close();
  }

  /** How the files on disk differ from those of the last run. */
  async changes(): Promise<FolderChanges> {
    const folders = await this.placed();
    const {
      parser,
      store: { readable },
    } = this.#parts;
    const hashOf = async (key: string) => (await readable.file(key))?.hash;
    return changesOf(folders, { map: this.#records.mapOf(folders), files: await readable.seenFiles(), hashOf, parser });
  }

  /** The absolute path of a file of a folder; null for a text given to `indexFile`, undefined if there is no file. */
  async pathOf(key: string): Promise<string | null | undefined> {
    const file = await this.#parts.store.readable.file(key);
    if (!file) return undefined;
    const place = this.#records.mapOf(await this.#records.list()).pathOf(file);
    return place === undefined ? null : path.normalize(place);
  }

  /** Indexes a known folder; without a result if it was dropped meanwhile. */
  async #outcome(known: PlacedFolder, options: IndexFolderOptions, changed?: Changed): Promise<FolderOutcome> {
    const record = (await this.#records.list()).find(({ folder }) => folder === known.folder);
    if (!record) return folderFields(known);
    return {
      ...folderFields(known),
      result: await this.#indexer.index(await realFolder(known.path), record, options, changed),
    };
  }

  /** Whether all keys of a folder belong to files from elsewhere: the folder then has nothing in the index. */
  async #areAllKeysTaken({ failed, ...counts }: IndexFolderResult): Promise<boolean> {
    const { store } = this.#parts;
    const { added, updated, moved, unchanged } = counts;
    if (failed.length === 0 || added + updated + moved + unchanged > 0) return false;
    for (const { key } of failed) if (!(await store.readable.file(key))) return false;
    return true;
  }

  /** Runs after the runs before it. Throws `ABORTED` as soon as the signal fires while it waits. */
  async #inTurn<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = untilAborted(this.#last, signal, UNCHANGED).then(() => {
      this.#work.assertOpen();
      return run();
    });
    this.#last = Promise.allSettled([this.#last, turn]).then(() => {});
    return turn;
  }
}
