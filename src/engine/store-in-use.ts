import type { IndexProgress } from '../indexing/progress.js';
import type { PassageStore, ReadablePassages } from '../storage/passage-store.js';

/** How to wait for the store that takes changes. */
export interface WaitOptions {
  /** Called as texts are cut and embedded meanwhile. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Stops the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** The passages of an engine's bot, which may be re-embedded while the engine is open. */
export interface StoreInUse {
  /** For searches and other reads. */
  readonly readable: ReadablePassages;
  /** For changes. They wait for a re-embedding, or begin one again; throws what it failed with, and `ABORTED`. */
  writable(options?: WaitOptions): Promise<PassageStore>;
  close(): Promise<void>;
}

/** A store that is only used as it is. */
export function alwaysInUse(store: PassageStore): StoreInUse {
  return { readable: store, writable: async () => store, close: () => store.close() };
}
