/** A thread that a pool owns. */
export interface Thread {
  /** Ends the thread, however busy. The thread's `onEnd` is called before this resolves. */
  end(): Promise<void>;
  /** Keeps the process running. */
  hold(): void;
  /** Lets the process exit. */
  release(): void;
}

interface Waiting<T> {
  readonly resolve: (thread: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls back later; the returned function cancels. Must not keep the process running. */
export type Schedule = (callback: () => void) => () => void;

/**
 * Owns up to `size` threads and lends each to one caller at a time, in the order of the calls.
 *
 *              ┌──────── use ends ────────┐
 *              ▼                          │
 *     start → lent ──→ idle ──→ lent ─────┘
 *              │         │ idle too long, or close
 *              ▼         ▼
 *             ended ← retiring
 *
 * A thread may end in any state. Whatever happens, `#serve` then hands out what is free: a caller waits only while
 * `size` threads are lent or still ending.
 */
export class ThreadPool<T extends Thread> {
  readonly #size: number;
  readonly #start: (onEnd: () => void) => T;
  readonly #whenIdle: Schedule;
  readonly #closedError: () => Error;
  /** All threads that have not ended. */
  readonly #threads = new Set<T>();
  /** Threads without work, and what cancels their retirement. */
  readonly #idle = new Map<T, () => void>();
  readonly #waiting: Waiting<T>[] = [];
  #closed = false;

  /**
   * `start` starts a thread and arranges for `onEnd` to be called when it ends; `whenIdle` schedules the retirement of
   * a thread without work.
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

  /** How many threads are lent, or are ending. */
  get busy(): number {
    return this.#threads.size - this.#idle.size;
  }

  /** Lends a thread for as long as the work takes. Throws what the work throws; the closed error once closed. */
  async use<Result>(work: (thread: T) => Promise<Result>): Promise<Result> {
    const thread = await this.#borrow();
    try {
      thread.hold();
      const result = await work(thread);
      // A result that comes after close() must not start further work.
      if (this.#closed) throw this.#closedError();
      return result;
    } catch (error) {
      throw this.#closed ? this.#closedError() : error;
    } finally {
      this.#giveBack(thread);
    }
  }

  /**
   * Ends all threads. Work in progress fails with the closed error, even if it still succeeds; so do waiting callers.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#closedError());
    for (const cancel of this.#idle.values()) cancel();
    this.#idle.clear();
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #borrow(): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#closedError());
      this.#waiting.push({ resolve, reject });
      this.#serve();
    });
  }

  /** Hands out free threads, idle ones first, and starts new ones while there is room. */
  #serve(): void {
    while (this.#idle.size > 0 || this.#threads.size < this.#size) {
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
    const thread: T = this.#start(() => {
      this.#threads.delete(thread);
      this.#idle.get(thread)?.();
      this.#idle.delete(thread);
      this.#serve();
    });
    this.#threads.add(thread);
    return thread;
  }

  #giveBack(thread: T): void {
    // After close() the thread is being ended, and the process must not exit before that.
    if (this.#closed || !this.#threads.has(thread)) return;
    this.#makeIdle(thread);
    this.#serve();
  }

  #takeIdle(): T | undefined {
    const [last] = [...this.#idle].slice(-1);
    if (!last) return undefined;
    const [thread, cancelRetirement] = last;
    cancelRetirement();
    this.#idle.delete(thread);
    return thread;
  }

  #makeIdle(thread: T): void {
    thread.release();
    const cancel = this.#whenIdle(() => {
      this.#idle.delete(thread);
      void thread.end();
    });
    this.#idle.set(thread, cancel);
  }
}
