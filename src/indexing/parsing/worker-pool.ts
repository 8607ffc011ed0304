/** A worker or process that a pool owns. */
export interface Worker {
  /** Ends the worker, however busy. Its `onEnd` is called before this resolves. */
  end(): Promise<void>;
  /** Keeps the calling process running. */
  hold(): void;
  /** Lets the calling process exit. */
  release(): void;
}

interface Waiting<T> {
  readonly resolve: (worker: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls back later; the returned function cancels. Must not keep the process running. */
export type Schedule = (callback: () => void) => () => void;

/**
 * Owns up to `size` workers and lends each to one caller at a time, in the order of the calls.
 *
 *              ┌──────── use ends ────────┐
 *              ▼                          │
 *     start → lent ──→ idle ──→ lent ─────┘
 *              │         │ idle too long, or close
 *              ▼         ▼
 *             ended ← retiring
 *
 * A worker may end in any state. Whatever happens, `#serve` then hands out what is free: a caller waits only while
 * `size` workers are lent or still ending.
 */
export class WorkerPool<T extends Worker> {
  readonly #size: number;
  readonly #start: (onEnd: () => void) => T;
  readonly #whenIdle: Schedule;
  readonly #closedError: () => Error;
  /** All workers that have not ended. */
  readonly #workers = new Set<T>();
  /** Workers without work, and what cancels their retirement. */
  readonly #idle = new Map<T, () => void>();
  readonly #waiting: Waiting<T>[] = [];
  #closed = false;

  /**
   * `start` starts a worker and arranges for `onEnd` to be called when it ends; `whenIdle` schedules the retirement of
   * a worker without work.
   */
  constructor(options: {
    readonly size: number;
    readonly start: (onEnd: () => void) => T;
    readonly whenIdle: Schedule;
    readonly closedError: () => Error;
  }) {
    this.#size = options.size;
    this.#start = options.start;
    this.#whenIdle = options.whenIdle;
    this.#closedError = options.closedError;
  }

  /** How many workers are lent, or are ending. */
  get busy(): number {
    return this.#workers.size - this.#idle.size;
  }

  /** Lends a worker for as long as the work takes. Throws what the work throws; the closed error once closed. */
  async use<Result>(work: (worker: T) => Promise<Result>): Promise<Result> {
    const worker = await this.#borrow();
    try {
      worker.hold();
      const result = await work(worker);
      // A result that comes after close() must not start further work.
      if (this.#closed) throw this.#closedError();
      return result;
    } catch (error) {
      throw this.#closed ? this.#closedError() : error;
    } finally {
      this.#giveBack(worker);
    }
  }

  /**
   * Ends all workers. Work in progress fails with the closed error, even if it still succeeds; so do waiting callers.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closedError());
    for (const cancel of this.#idle.values()) cancel();
    this.#idle.clear();
    await Promise.all([...this.#workers].map((worker) => worker.end()));
  }

  #borrow(): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closedError());
      this.#waiting.push({ resolve, reject });
      this.#serve();
    });
  }

  /** Hands out free workers, idle ones first, and starts new ones while there is room. */
  #serve(): void {
    while (this.#idle.size > 0 || this.#workers.size < this.#size) {
      const next = this.#waiting.shift();
      if (!next) return;
      try {
        next.resolve(this.#takeIdle() ?? this.#startOne());
      } catch (error) {
        next.reject(error);
      }
    }
  }

  #startOne(): T {
    const worker: T = this.#start(() => {
      this.#workers.delete(worker);
      this.#idle.get(worker)?.();
      this.#idle.delete(worker);
      this.#serve();
    });
    this.#workers.add(worker);
    return worker;
  }

  #giveBack(worker: T): void {
    // After close() the worker is being ended, and the process must not exit before that.
    if (this.#closed || !this.#workers.has(worker)) return;
    this.#makeIdle(worker);
    this.#serve();
  }

  #takeIdle(): T | undefined {
    const [last] = [...this.#idle].slice(-1);
    if (!last) return undefined;
    const [worker, cancelRetirement] = last;
    cancelRetirement();
    this.#idle.delete(worker);
    return worker;
  }

  #makeIdle(worker: T): void {
    worker.release();
    const cancel = this.#whenIdle(() => {
      this.#idle.delete(worker);
      void worker.end();
    });
    this.#idle.set(worker, cancel);
  }
}
