import { hasCode, reasonOf } from '../domain/errors.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { EngineStore } from './engine-store.js';

/** Changes of single files between two compactions. */
const CHANGES_PER_COMPACTION = 100;

/** Keeps a store small while files change one by one, since a service may run for months. */
export class Upkeep {
  readonly #store: EngineStore;
  readonly #warn: (message: string) => void;
  /** Whether files changed since the engine was opened. */
  #isDirty = false;
  #changes = 0;

  constructor(store: EngineStore, { warn }: { readonly warn: (message: string) => void }) {
    this.#store = store;
    this.#warn = warn;
  }

  /** Changes a file. The store is compacted regularly. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    this.#isDirty = true;
    const result = await work();
    this.#changes += 1;
    if (this.#changes % CHANGES_PER_COMPACTION === 0) await this.compact();
    return result;
  }

  compact(): Promise<void> {
    return this.#attempt((store) => store.compact());
  }

  /**
   * Compacts the store and writes the vector index to disk, if anything has changed. An index that takes long to
   * complete is left to the next run, because `close` waits.
   */
  async flush(): Promise<void> {
    if (this.#isDirty) await this.#attempt((store) => store.flush({ isBrief: true }));
  }

  /** A failure loses nothing, so it is only a warning: the next compaction does the work. */
  async #attempt(work: (store: PassageStore) => Promise<void>): Promise<void> {
    try {
      await work(await this.#store.writable());
    } catch (error) {
      // The process that re-embedded the files or deleted the bot has flushed the store.
      if (hasCode(error, 'MODEL_MISMATCH', 'BOT_MISSING')) return;
      // No change has succeeded: there is nothing to compact.
      if (this.#changes === 0 && hasCode(error, 'DATABASE_UNWRITABLE')) return;
      const reason = reasonOf(error);
      this.#warn(`Everything is stored, but the index could not be compacted: ${reason}`);
    }
  }
}
