import type { Abortable } from '../../domain/abortable.js';
import { hasCode } from '../../domain/errors.js';
import { formats } from '../../formats/formats.js';
import { filesInside } from '../../indexing/folder/folders-above.js';
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
import type { FolderRecord } from '../../storage/folders.js';
import type { PassageStore } from '../../storage/passage-store.js';
import type { EngineParts } from '../engine-parts.js';
import type { EngineWork } from '../engine-work.js';
import { type FolderRecords, settingsOf } from './folder-records.js';
import type { Changed } from './known-folder.js';
import { removeDroppedFiles } from './remove-dropped-files.js';

/** One run over a folder. */
interface Run {
  readonly root: string;
  readonly record: FolderRecord;
  readonly options: IndexFolderOptions & Indexing;
}

/** Indexes known folders, whatever other processes do to their records meanwhile. One call runs at a time. */
export class FolderIndexer {
  readonly #parts: EngineParts;
  readonly #work: EngineWork;
  readonly #records: FolderRecords;

  constructor(parts: EngineParts, { work, records }: { readonly work: EngineWork; readonly records: FolderRecords }) {
    this.#parts = parts;
    this.#work = work;
    this.#records = records;
  }

  /** Indexes a folder as its record says. If another process drops it meanwhile, nothing of it stays. */
  async index(
    root: string,
    record: FolderRecord,
    options: IndexFolderOptions,
    changed: Changed = 'all',
  ): Promise<IndexFolderResult> {
    const indexing = await this.#work.indexing(options);
    const run = { root, record, options: { ...options, ...indexing } };
    const seenAt = Date.now();
    const [outcome] = await Promise.allSettled([this.#runUntilUnchanged(run, changed)]);
    await this.#removeDropped(record.folder, indexing.store);
    if (outcome.status === 'rejected') throw outcome.reason;
    if (changed === 'all') await this.#records.markSeen(record.folder, seenAt);
    const { storage, bot } = this.#parts;
    if (outcome.value.failed.length === 0) await storage.accounts.bots.markIndexed(bot.id);
    await storage.sync();
    return outcome.value;
  }

  /** Indexes the folders within a folder whose files are still stored as files of the outer one. */
  async indexInner(outer: string, { store, signal }: Abortable & { readonly store: PassageStore }): Promise<void> {
    const records = await this.#records.list();
    const map = this.#records.mapOf(records);
    const stored = (await store.files()).filter(({ folder }) => folder === outer);
    const owners = new Set(stored.map((file) => map.ownerOf(file)));
    for (const record of records) {
      const root = map.pathOfFolder(record.folder);
      if (record.folder === outer || !owners.has(record.folder) || !statOf(root)?.isDirectory()) continue;
      try {
        await this.index(await realFolder(root), record, { signal });
      } catch (error) {
        // As for a folder that is gone: a run over it says that it cannot be read.
        if (!hasCode(error, 'FOLDER_MISSING')) throw error;
      }
    }
  }

  /**
   * Runs again, with the folders in it, for as long as another process changes their records meanwhile: a run may have
   * undone what that process did.
   */
  async #runUntilUnchanged(run: Run, changed: Changed): Promise<IndexFolderResult> {
    const { folder } = run.record;
    let known = await this.#records.list();
    const results = [await this.#runOnce(run, known, changed)];
    for (;;) {
      const now = await this.#records.list();
      if (this.#settingsWithin(folder, now) === this.#settingsWithin(folder, known)) return sumOf(results);
      known = now;
      if (!isKnown(folder, known)) continue;
      results.push(await this.#runOnce(run, known, 'all'));
      await this.indexInner(folder, run.options);
    }
  }

  async #runOnce(
    { root, record, options }: Run,
    records: readonly FolderRecord[],
    changed: Changed,
  ): Promise<IndexFolderResult> {
    const settings = records.find(({ folder }) => folder === record.folder) ?? record;
    const how = { ...options, ...settings, known: this.#records.mapOf(records) };
    return changed === 'all' ? indexFolder(root, how) : indexPaths(root, await filesOf(changed, options.store), how);
  }

  #settingsWithin(folder: string, records: readonly FolderRecord[]): string {
    return settingsOf(records, [folder, ...this.#records.mapOf(records).innerFolders(folder)]);
  }

  /** Removes what a run has stored of a folder that another process has dropped meanwhile. */
  async #removeDropped(dropped: string, store: PassageStore): Promise<void> {
    if (isKnown(dropped, await this.#records.list())) return;
    await removeDroppedFiles(({ folder }) => folder === dropped, { store });
  }
}

/**
 * The keys of changed files. A key that is not stored may be that of a deleted folder: then it stands for the stored
 * files in it.
 */
async function filesOf(changed: readonly string[], store: PassageStore): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const key of changed) if (!(await store.file(key))) unknown.push(key);
  if (unknown.length === 0) return changed;
  const inside = filesInside(unknown, await store.files());
  return [...changed.filter((key) => formats.ofKey(key)), ...inside.map(({ key }) => key)];
}

function isKnown(folder: string, records: readonly FolderRecord[]): boolean {
  return records.some((record) => record.folder === folder);
}
