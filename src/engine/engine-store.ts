import type { IndexProgress } from '../indexing/progress.js';
import type { PassageStore, ReadablePassages } from '../storage/passage-store.js';

/** How to wait until files may be changed. */
export interface WaitOptions {
  /** Called as texts are cut and embedded meanwhile. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Stops the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** The passages of an engine's bot. They may be re-embedded while the engine is open. */
export interface EngineStore {
  /** For searches and other reads. */
  readonly readable: ReadablePassages;
  /**
   * The store for changes. Resolves when no re-embedding is running; restarts one that a temporary failure has stopped.
   * Throws what the re-embedding throws, and `ABORTED`.
   */
  writable(options?: WaitOptions): Promise<PassageStore>;
  close(): Promise<void>;
}

/** A store that is not being re-embedded. */
export function fixedStore(store: PassageStore): EngineStore {
  return { readable: store, writable: async () => store, close: () => store.close() };
}
