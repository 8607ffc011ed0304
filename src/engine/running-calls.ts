import { setMaxListeners } from 'node:events';
import { WaymarkError } from '../domain/errors.js';
import { untilAborted } from '../domain/until-aborted.js';

/** The running calls of an engine. When it is closed, they end with `ENGINE_CLOSED`. */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();

  constructor() {
    // Each running call listens; Node would warn of a leak above ten.
    setMaxListeners(Number.POSITIVE_INFINITY, this.signal);
  }

  /** Fires when the engine is closed. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Throws `ENGINE_CLOSED`. */
  assertOpen(): void {
    if (this.signal.aborted) throw closedError();
  }

  /** Runs a call that may change something: it ends once nothing can change any more. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const call = work();
    this.#running.add(call);
    try {
      return await call;
    } catch (error) {
      throw this.signal.aborted ? closedError(error) : error;
    } finally {
      this.#running.delete(call);
    }
  }

  /** Runs a call that changes nothing: it ends as soon as the engine is closed, even if the embedder never answers. */
  ask<T>(work: () => Promise<T>): Promise<T> {
    return this.run(() => untilAborted(work(), this.signal));
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Waits for all calls. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

function closedError(cause?: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.', { cause });
}
