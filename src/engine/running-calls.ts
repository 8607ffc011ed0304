import { assertNotAborted, untilAborted, withEither } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';

/** The running calls of an engine. When it is closed, they end with `ENGINE_CLOSED`. */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();

  /** Fires when the engine is closed. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Throws `ENGINE_CLOSED`. */
  assertOpen(): void {
    if (this.signal.aborted) throw closedError();
  }

  /**
   * Runs a call that may change something, and waits for its work even after an abort: nothing changes after the call
   * has ended. The signal of `work` fires when the engine is closed or the caller's signal fires.
   */
  write<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    return this.#run(work, given);
  }

  /** Runs a call that changes nothing. It ends as soon as its signal fires, even if the embedder never answers. */
  read<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    return this.#run((signal) => untilAborted(work(signal), signal), given);
  }

  /** Fires the signal: running calls end with `ENGINE_CLOSED`, and new ones are refused. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves when all running calls have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #run<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    assertNotAborted(given);
    const call = withEither([this.signal, given], work);
    this.#running.add(call);
    try {
      return await call;
    } catch (error) {
      throw this.signal.aborted ? closedError(error) : error;
    } finally {
      this.#running.delete(call);
    }
  }
}

function closedError(cause?: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.', { cause });
}
