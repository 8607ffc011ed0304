/// <reference lib="esnext.disposable" preserve="true" />
import { reasonOf } from '../../domain/errors.js';
import { FolderWatch } from './folder-watch.js';
import type { Changed, FolderOutcome, PlacedFolder } from './known-folder.js';

/** Milliseconds between two looks for folders that were added, dropped, deleted or restored. */
const LOOK = 500;

/** The same after a look that failed: to look may open the bot's model again. */
const LOOK_AGAIN = 5000;

/** Options of `watch`. */
export interface WatchOptions {
  /** Called after each update of a folder in which something changed or failed, and after the first of each folder. */
  readonly onUpdate?: ((outcome: FolderOutcome) => void) | undefined;
  /** Ends the watch, as `close` does. */
  readonly signal?: AbortSignal | undefined;
}

/** What a watcher works with. */
export interface Watched {
  readonly list: () => Promise<readonly PlacedFolder[]>;
  /** Brings files of a folder up to date. */
  readonly update: (folder: PlacedFolder, changed: Changed) => Promise<FolderOutcome>;
}

interface WatcherParts extends WatchOptions, Watched {
  readonly warn: (message: string) => void;
  readonly onClose: () => void;
}

/** Keeps the index up to date with the folders of a bot until it is closed. */
export class Watcher implements AsyncDisposable {
  readonly #parts: WatcherParts;
  readonly #watches = new Map<string, FolderWatch>();
  /** Call it once the first update of a folder has ended, or never will. */
  readonly #begun = new Map<string, () => void>();
  /** Resolves once the first updates of all folders so far have ended. */
  #order: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Why the last look failed. */
  #problem: string | undefined;
  #isClosed = false;
  readonly #onAbort = () => void this.close();

  /** @internal */
  constructor(parts: WatcherParts) {
    this.#parts = parts;
  }

  /**
   * Watches the folders that the bot knows now, and from now on those that it gets to know.
   * @internal
   */
  async start(): Promise<this> {
    this.#parts.signal?.addEventListener('abort', this.#onAbort);
    const first = this.#look();
    this.#looking = first.catch(() => {});
    try {
      await first;
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#lookLater();
    return this;
  }

  /** Ends the watch once a running update has ended. The engine stays open. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.signal?.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#timer);
    await this.#looking;
    for (const begin of this.#begun.values()) begin();
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()));
    this.#parts.onClose();
  }

  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    const look = () => {
      this.#looking = this.#lookAgain().finally(() => this.#lookLater());
    };
    this.#timer = setTimeout(look, this.#problem === undefined ? LOOK : LOOK_AGAIN);
  }

  /** Warns of a failure, unless the look before has failed likewise. */
  async #lookAgain(): Promise<void> {
    try {
      await this.#look();
      this.#problem = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (!this.#isClosed && reason !== this.#problem) this.#parts.warn(`The folders could not be listed: ${reason}`);
      this.#problem = reason;
    }
  }

  async #look(): Promise<void> {
    const folders = await this.#parts.list();
    const known = new Map(folders.map((folder) => [folder.folder, folder]));
    for (const [folder, watch] of this.#watches) {
      const now = known.get(folder);
      if (now && watch.isOf(now)) continue;
      this.#watches.delete(folder);
      this.#begun.get(folder)?.();
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
    let last: FolderOutcome | undefined;
    // Folders begin in their order, however early or late each notices a change.
    const earlier = this.#order;
    const own = new Promise<void>((resolve) => this.#begun.set(folder.folder, resolve));
    this.#order = Promise.all([earlier, own]).then(() => {});
    return new FolderWatch(folder, {
      warn,
      update: async (changed) => {
        await earlier;
        const outcome = await update(folder, changed).catch((error: unknown) => ({
          ...placeOf(folder),
          problem: reasonOf(error),
        }));
        // What a closing engine stops is no news.
        if (!this.#isClosed && hasNews(outcome, last)) onUpdate?.(outcome);
        last = outcome;
        this.#begun.get(folder.folder)?.();
        return outcome;
      },
    });
  }
}

/** What names a folder in an outcome. */
export function placeOf({ folder, name, path }: PlacedFolder): Omit<FolderOutcome, 'result' | 'problem'> {
  return { folder, name, path };
}

function hasNews({ result, problem }: FolderOutcome, last: FolderOutcome | undefined): boolean {
  if (!result) return problem !== undefined && problem !== last?.problem;
  if (!last) return true;
  const { added, updated, moved, removed, failed } = result;
  return added + updated + moved + removed + failed.length > 0;
}
