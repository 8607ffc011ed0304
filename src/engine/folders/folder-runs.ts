import path from 'node:path';
import {
  type AddFolderOptions,
  validateAddedFolder,
  validateDroppedFolder,
  validateFolder,
  validateRun,
} from '../../contract/engine/index-folder.js';
import { type Abortable, assertNotAborted, UNCHANGED, untilAborted } from '../../domain/abortable.js';
import { hasCode } from '../../domain/errors.js';
import { formats } from '../../formats/formats.js';
import { changesOf, type FolderChanges } from '../../indexing/folder/changes.js';
import { FolderMap } from '../../indexing/folder/folder-map.js';
import { foldersAbove } from '../../indexing/folder/folders-above.js';
import { statOf } from '../../indexing/folder/stat-of.js';
import { realFolder } from '../../indexing/folder/walk.js';
import {
  type IndexFolderOptions,
  type IndexFolderResult,
  indexFolder,
  indexPaths,
  sumOf,
} from '../../indexing/index-folder.js';
import type { Indexing } from '../../indexing/indexing.js';
import type { FolderRecord, Folders } from '../../storage/folders.js';
import type { PassageStore, StoredFile } from '../../storage/passage-store.js';
import type { EngineParts } from '../engine-parts.js';
import type { EngineWork } from '../engine-work.js';
import { folderNamed, nameOf, withoutLinks } from './folder-names.js';
import { type KeptFolder, keepFolder, settingsOf } from './keep-folder.js';
import type { Changed, FolderOutcome, IndexFoldersOptions, KnownFolder, PlacedFolder } from './known-folder.js';
import { folderFields, type WatchedFolders } from './watcher.js';
import { Watchers } from './watchers.js';

/** The folders of a bot: keeps their records, and brings their files up to date, one folder after the other. */
export class FolderRuns {
  readonly #parts: EngineParts;
  readonly #work: EngineWork;
  /** The folders for a watcher. Its calls throw `ENGINE_CLOSED`. */
  readonly watched: WatchedFolders;
  readonly watchers: Watchers;
  /** Resolves when the last run has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: EngineParts, work: EngineWork) {
    this.#parts = parts;
    this.#work = work;
    this.watched = { list: () => work.read(() => this.placed()), update: (...given) => this.update(...given) };
    this.watchers = new Watchers({ ...this.watched, warn: parts.warn });
  }

  /** The folders that the bot knows. */
  async placed(): Promise<readonly PlacedFolder[]> {
    const records = await this.#records();
    const map = this.#mapOf(records);
    return records.map((record) => ({ ...record, path: withoutLinks(map.pathOfFolder(record.folder)) }));
  }

  /** The folders that the bot knows, with the numbers of their files. */
  async list(): Promise<readonly KnownFolder[]> {
    const folders = await this.placed();
    const map = this.#mapOf(folders);
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
      const { record } = await this.#keep(root, kept, () => nameOf(root));
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
      const map = this.#mapOf(await this.#records());
      await this.#indexInnerFolders(dropped.folder, { map, files: await store.files(), signal });
      const isIn = (file: StoredFile) => file.folder === dropped.folder || map.ownerOf(file) === dropped.folder;
      await removeFiles(isIn, { store, signal });
      await (await this.#folders()).remove(dropped.folder);
      // A run of another process may have added files meanwhile. It removes those that it adds from now on.
      await removeFiles(({ folder }) => folder === dropped.folder, { store });
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
      const { record, isNew } = await this.#keep(root, valid, () => '');
      const result = await this.#run(root, record, valid);
      if (isNew && (await this.#areAllKeysTaken(result))) await (await this.#folders()).remove(record.folder);
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
    return changesOf(folders, { map: this.#mapOf(folders), files: await readable.seenFiles(), hashOf, parser });
  }

  /** The absolute path of a file of a folder; null for a text given to `indexFile`, undefined if there is no file. */
  async pathOf(key: string): Promise<string | null | undefined> {
    const file = await this.#parts.store.readable.file(key);
    return file && (this.#mapOf(await this.#records()).pathOf(file) ?? null);
  }

  /** Indexes a known folder; without a result if it was dropped meanwhile. */
  async #outcome(known: PlacedFolder, options: IndexFolderOptions, changed?: Changed): Promise<FolderOutcome> {
    const record = (await this.#records()).find(({ folder }) => folder === known.folder);
    if (!record) return folderFields(known);
    return { ...folderFields(known), result: await this.#run(await realFolder(known.path), record, options, changed) };
  }

  /**
   * Indexes a folder as its record says; again, with the folders in it, for as long as another process changes their
   * records meanwhile: a run may have undone what that process did.
   */
  async #run(
    root: string,
    record: FolderRecord,
    options: IndexFolderOptions,
    changed: Changed = 'all',
  ): Promise<IndexFolderResult> {
    const indexing = await this.#work.indexing(options);
    const seenAt = Date.now();
    const run = async (known: readonly FolderRecord[], what: Changed) => {
      const settings = known.find(({ folder }) => folder === record.folder) ?? record;
      const how = { ...options, ...indexing, ...settings, known: this.#mapOf(known) };
      return what === 'all' ? indexFolder(root, how) : indexPaths(root, await filesOf(what, indexing.store), how);
    };
    const runs = async () => {
      let known = await this.#records();
      const results = [await run(known, changed)];
      const settingsIn = (records: readonly FolderRecord[]) =>
        settingsOf(records, [record.folder, ...this.#mapOf(records).innerFolders(record.folder)]);
      for (let now = await this.#records(); settingsIn(now) !== settingsIn(known); now = await this.#records()) {
        known = now;
        if (!known.some(({ folder }) => folder === record.folder)) continue;
        results.push(await run(known, 'all'));
        const [map, files] = [this.#mapOf(known), await indexing.store.files()];
        await this.#indexInnerFolders(record.folder, { map, files, signal: indexing.signal });
      }
      return sumOf(results);
    };
    const result = await runs().finally(() => this.#removeDropped(record.folder, indexing.store));
    if (changed === 'all') await (await this.#folders()).markSeen(record.folder, seenAt);
    const { storage, bot } = this.#parts;
    if (result.failed.length === 0) await storage.accounts.bots.markIndexed(bot.id);
    await storage.sync();
    return result;
  }

  /** Removes what a run has stored of a folder that another process has dropped meanwhile. */
  async #removeDropped(dropped: string, store: PassageStore): Promise<void> {
    if ((await this.#records()).some(({ folder }) => folder === dropped)) return;
    await removeFiles(({ folder }) => folder === dropped, { store });
  }

  /** Indexes the folders within a folder whose files are still stored as files of the outer one. */
  async #indexInnerFolders(
    outer: string,
    { map, files, signal }: { map: FolderMap; files: readonly StoredFile[] } & Abortable,
  ): Promise<void> {
    const owners = new Set(files.filter(({ folder }) => folder === outer).map((file) => map.ownerOf(file)));
    for (const record of await this.#records()) {
      const root = map.pathOfFolder(record.folder);
      if (record.folder === outer || !owners.has(record.folder) || !statOf(root)?.isDirectory()) continue;
      await this.#run(await realFolder(root), record, { signal });
    }
  }

  /** Whether all keys of a folder belong to files from elsewhere: the folder then has nothing in the index. */
  async #areAllKeysTaken({ failed, ...counts }: IndexFolderResult): Promise<boolean> {
    const { store } = this.#parts;
    const { added, updated, moved, unchanged } = counts;
    if (failed.length === 0 || added + updated + moved + unchanged > 0) return false;
    for (const { key } of failed) if (!(await store.readable.file(key))) return false;
    return true;
  }

  async #keep(root: string, given: AddFolderOptions, defaultName: () => string): Promise<KeptFolder> {
    return keepFolder(root, { folders: await this.#folders(), base: this.#parts.storage.base, given, defaultName });
  }

  async #records(): Promise<readonly FolderRecord[]> {
    return (await this.#folders()).list();
  }

  #folders(): Promise<Folders> {
    return this.#parts.storage.folders(this.#parts.bot.id);
  }

  #mapOf(records: readonly FolderRecord[]): FolderMap {
    return new FolderMap(records, this.#parts.storage.base);
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

/**
 * The keys of changed files. A key that is not stored may be that of a deleted folder: then it stands for the stored
 * files in it.
 */
async function filesOf(changed: readonly string[], store: PassageStore): Promise<readonly string[]> {
  const unknown = new Set<string>();
  for (const key of changed) if (!(await store.file(key))) unknown.add(`${key}/`);
  if (unknown.size === 0) return changed;
  const inside = (await store.files()).filter(({ key }) => foldersAbove(key).some((folder) => unknown.has(folder)));
  return [...changed.filter((key) => formats.ofKey(key)), ...inside.map(({ key }) => key)];
}

/** Removes the stored files that pass `isWanted`. Throws `ABORTED`. */
async function removeFiles(
  isWanted: (file: StoredFile) => boolean,
  { store, signal }: Abortable & Pick<Indexing, 'store'>,
): Promise<void> {
  for (const { key, id } of (await store.files()).filter(isWanted)) {
    assertNotAborted(signal, 'Stopped. Files that were removed stay so; drop the folder again to remove the rest.');
    await store.remove(key, { only: { id }, signal });
  }
}
