import { validateSignal } from '../contract/abortable.js';
import type { Abortable } from '../domain/abortable.js';
import type { Indexing } from '../indexing/indexing.js';
import { closeAll } from './close-all.js';
import type { EngineParts } from './engine-parts.js';
import type { WaitOptions } from './engine-store.js';
import { RunningCalls } from './running-calls.js';
import { Upkeep } from './upkeep.js';

/**
 * Runs the calls of an engine, makes their changes durable, and ends them when the engine is closed.
 * @internal
 */
export class EngineWork {
  readonly #parts: EngineParts;
  readonly #calls = new RunningCalls();
  readonly #upkeep: Upkeep;
  #closing: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    const { store, warn } = parts;
    this.#parts = parts;
    this.#upkeep = new Upkeep(store, { warn });
  }

  /** Runs a call that may change something. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async write<T>(work: (signal: AbortSignal) => Promise<T>, options: Abortable = {}): Promise<T> {
    this.assertUsable();
    return this.#calls.write(work, validateSignal(options));
  }

  /** Runs a call that changes nothing. Throws `INVALID_ARGUMENT`, `ABORTED`. */
  async read<T>(work: (signal: AbortSignal) => Promise<T>, options: Abortable = {}): Promise<T> {
    this.assertUsable();
    return this.#calls.read(work, validateSignal(options));
  }

  /** Changes files, and makes the change durable. Call it in `write`. */
  async changeFiles<T>(work: (indexing: Indexing) => Promise<T>, signal: AbortSignal): Promise<T> {
    const indexing = await this.indexing({ signal });
    const result = await this.#upkeep.change(() => work(indexing));
    await this.#parts.storage.sync();
    return result;
  }

  compact(): Promise<void> {
    return this.#upkeep.compact();
  }

  /** The parts for indexing, once files may be changed. The signal defaults to the one that `close` fires. */
  async indexing({ onProgress, signal = this.#calls.signal }: WaitOptions = {}): Promise<Indexing> {
    const { storage, store, embedder, parser, cutting } = this.#parts;
    return {
      store: await store.writable({ onProgress, signal }),
      embedder,
      parser,
      cutting,
      base: storage.base,
      signal,
    };
  }

  /** Throws `ENGINE_CLOSED`. */
  assertOpen(): void {
    this.#calls.assertOpen();
  }

  /** Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database. */
  assertUsable(): void {
    this.#calls.assertOpen();
    this.#parts.storage.assertNotReplaced();
  }

  /** Ends all processes and closes the database. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { embedder, ownPool } = this.#parts;
    this.#calls.stop();
    const closeStore = () => this.#closeStore();
    await closeAll(ownPool ? [closeStore, () => embedder.close(), () => ownPool.close()] : [closeStore]);
  }

  async #closeStore(): Promise<void> {
    const { store, storage, ownPool } = this.#parts;
    try {
      await this.#calls.ended();
      await this.#upkeep.flush();
      await store.close();
    } finally {
      if (ownPool) storage.close();
    }
  }
}
