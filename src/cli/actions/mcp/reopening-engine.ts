import { setImmediate } from 'node:timers/promises';
import {
  type EngineOptions,
  openEngine,
  type SearchEngine,
  WaymarkError,
  type WaymarkErrorCode,
} from '../../../index.js';

/** Errors of an outdated engine, which another call may have closed: opening it again removes them. */
const OUTDATED: readonly WaymarkErrorCode[] = ['MODEL_MISMATCH', 'DATABASE_MOVED', 'ENGINE_CLOSED'];

/**
 * An engine for a long-running process. It is opened when it is first needed, so that the folder may be indexed later.
 * It is opened again when the model of the files has changed, or the database was replaced.
 */
export class ReopeningEngine {
  readonly #options: EngineOptions;
  #opened: Promise<SearchEngine> | undefined;
  #isClosed = false;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  async use<T>(work: (engine: SearchEngine) => Promise<T>): Promise<T> {
    const running = this.#use(work);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves once nothing uses the engine, after a turn of the event loop in which the answers are sent. */
  async idle(): Promise<void> {
    do {
      await Promise.allSettled(this.#running);
      await setImmediate();
    } while (this.#running.size > 0);
  }

  async #use<T>(work: (engine: SearchEngine) => Promise<T>): Promise<T> {
    const opened = this.#open();
    try {
      return await work(await opened);
    } catch (error) {
      if (!OUTDATED.includes((error as { code: WaymarkErrorCode }).code)) throw error;
      await this.#discard(opened);
      return work(await this.#open());
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened;
    if (opened) await this.#discard(opened);
  }

  /** Throws `ENGINE_CLOSED`. */
  #open(): Promise<SearchEngine> {
    if (this.#isClosed) throw new WaymarkError('ENGINE_CLOSED', 'The index is closed: start the server again.');
    if (this.#opened) return this.#opened;
    const opened = openEngine(this.#options);
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  async #discard(opened: Promise<SearchEngine>): Promise<void> {
    if (this.#opened === opened) this.#opened = undefined;
    const engine = await opened.catch(() => undefined);
    await engine?.close();
  }
}
