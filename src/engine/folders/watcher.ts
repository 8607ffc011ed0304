/// <reference lib="esnext.disposable" preserve="true" />
import { reasonOf } from '../../domain/errors.js';
import { FolderWatch } from './folder-watch.js';
import type { Changed, FolderOutcome, PlacedFolder } from './known-folder.js';

/** Milliseconds between two checks for folders that were added, dropped, deleted or restored. */
const CHECK_INTERVAL = 500;

/** The same after a check that failed: each check may open the bot's model again. */
const RETRY_INTERVAL = 5000;

/** Options of `watch`. */
export interface WatchOptions {
  /**
   * Called after each update of a folder in which something changed or failed in a new way, and after the first of each
   * folder.
   */
  readonly onUpdate?: ((outcome: FolderOutcome) => void) | undefined;
  /** Ends the watch, as `close` does. */
  readonly signal?: AbortSignal | undefined;
}

/** The folders of a bot, as a watcher needs them. */
export interface WatchedFolders {
  readonly list: () => Promise<readonly PlacedFolder[]>;
  /** Brings files of a folder up to date. */
  readonly update: (folder: PlacedFolder, changed: Changed) => Promise<FolderOutcome>;
}

interface WatcherParts extends WatchOptions, WatchedFolders {
  readonly warn: (message: string) => void;
  readonly onClose: () => void;
}

/** Keeps the index up to date with the folders of a bot until it is closed. */
export class Watcher implements AsyncDisposable {
  readonly #parts: WatcherParts;
  readonly #watches = new Map<string, FolderWatch>();
  /** By folder: to be called once its first update has ended, or is no longer expected. */
  readonly #endFirstUpdate = new Map<string, () => void>();
  /** Resolves when the first updates of all folders so far have ended. */
  #firstUpdates: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  /** Why the last check failed. */
  #problem: string | undefined;
  #isClosed = false;
  readonly #onAbort = () => void this.close();

  /** @internal */
  constructor(parts: WatcherParts) {
    this.#parts = parts;
  }

  /**
   * Watches the folders that the bot knows, and those that are added later.
   * @internal
   */
  async start(): Promise<this> {
    this.#parts.signal?.addEventListener('abort', this.#onAbort);
    const first = this.#check();
    this.#checking = first.catch(() => {});
    try {
      await first;
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#scheduleCheck();
    return this;
  }

  /** Ends the watch once a running update has ended. The engine stays open. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#timer);
    await this.#checking;
    for (const end of this.#endFirstUpdate.values()) end();
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()));
    this.#parts.onClose();
  }

  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #scheduleCheck(): void {
    if (this.#isClosed) return;
    const check = () => {
      this.#checking = this.#checkOrWarn().finally(() => this.#scheduleCheck());
    };
    this.#timer = setTimeout(check, this.#problem === undefined ? CHECK_INTERVAL : RETRY_INTERVAL);
  }

  /** Warns of a failure, unless the previous check failed for the same reason. */
  async #checkOrWarn(): Promise<void> {
    try {
      await this.#check();
      this.#problem = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (!this.#isClosed && reason !== this.#problem) this.#parts.warn(`The folders could not be listed: ${reason}`);
      this.#problem = reason;
    }
  }

  /** Starts and ends watches so that they match the folders that the bot knows now. */
  async #check(): Promise<void> {
    const folders = await this.#parts.list();
    const known = new Map(folders.map((folder) => [folder.folder, folder]));
    for (const [folder, watch] of this.#watches) {
      const now = known.get(folder);
      if (now && watch.watches(now)) continue;
      this.#watches.delete(folder);
      this.#endFirstUpdate.get(folder)?.();
      await watch.close();
    }
    for (const folder of folders) {
      if (this.#isClosed) return;
      const watch = this.#watches.get(folder.folder) ?? this.#watchOf(folder);
      this.#watches.set(folder.folder, watch);
      await watch.check();
    }
  }

  #watchOf(folder: PlacedFolder): FolderWatch {
    const { update, onUpdate, warn } = this.#parts;
    const reports = new UpdateReports();
    // The first updates run in the order of the folders, whichever is ready first.
    const earlier = this.#firstUpdates;
    const own = new Promise<void>((resolve) => this.#endFirstUpdate.set(folder.folder, resolve));
    this.#firstUpdates = Promise.all([earlier, own]).then(() => {});
    return new FolderWatch(folder, {
      warn,
      update: async (changed) => {
        await earlier;
        const outcome = await update(folder, changed).catch((error: unknown) => ({
          ...folderFields(folder),
          problem: reasonOf(error),
        }));
        // An update that was stopped because the engine is closing is not reported.
        if (reports.isDue(outcome, changed) && !this.#isClosed) onUpdate?.(outcome);
        this.#endFirstUpdate.get(folder.folder)?.();
        return outcome;
      },
    });
  }
}

/** The fields of an outcome that say which folder it is about. */
export function folderFields({ folder, name, path }: PlacedFolder): Omit<FolderOutcome, 'result' | 'problem'> {
  return { folder, name, path };
}

/** Decides which updates of a folder are reported. */
class UpdateReports {
  #last: FolderOutcome | undefined;
  /** The reasons of files that failed: each comparison of all files finds them again. */
  #failed: ReadonlyMap<string, string> = new Map();

  /** Whether an update has changed something, failed in a new way, or is the first. */
  isDue(outcome: FolderOutcome, changed: Changed): boolean {
    const { result, problem } = outcome;
    const last = this.#last;
    this.#last = outcome;
    if (!result) return problem !== undefined && problem !== last?.problem;
    const { added, updated, moved, removed, failed } = result;
    const known = this.#failed;
    const edited = new Set(changed === 'all' ? [] : changed);
    const isNew = failed.some(({ key, reason }) => edited.has(key) || known.get(key) !== reason);
    const own = failed.map(({ key, reason }): [string, string] => [key, reason]);
    this.#failed = new Map(changed === 'all' ? own : [...known, ...own]);
    return !last || isNew || added + updated + moved + removed > 0;
  }
}
