/**
 * Limits how many pieces of work run at a time, in all and for each owner. An owner may have as many running as are
 * free then (dynamic thresholds: Choudhury, Hahne 1998): one owner alone has at most half, rounded up, and each further
 * owner may have half of the rest. Work over a limit is refused, with one exception: if several owners have taken all
 * places, an owner that has none waits for the next one.
 */
export class Semaphore {
  readonly #limit: number;
  #running = 0;
  readonly #runningOf = new Map<unknown, number>();
  /** Owners without a place, in the order in which they came, and what gives them one. */
  readonly #waiting = new Map<unknown, () => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * Runs the work of an owner; returns undefined without running it if a limit is reached. Throws the reason of the
   * signal if that fires while the owner waits.
   */
  async tryRun<T>(
    work: () => Promise<T>,
    { owner, signal }: { readonly owner: unknown; readonly signal: AbortSignal },
  ): Promise<{ done: T } | undefined> {
    if (!(await this.#enter(owner, signal))) return undefined;
    try {
      return { done: await work() };
    } finally {
      this.#leave(owner);
    }
  }

  /** Takes a place, or waits for one. Returns false if there is none. */
  async #enter(owner: unknown, signal: AbortSignal): Promise<boolean> {
    const own = this.#runningOf.get(owner) ?? 0;
    if (own < this.#limit - this.#running) {
      this.#count(owner, 1);
      return true;
    }
    if (own > 0 || this.#running === 0 || this.#waiting.has(owner)) return false;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(owner);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(owner, () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
    });
    return true;
  }

  /** Gives a place back, or to the owner that has waited longest. */
  #leave(owner: unknown): void {
    this.#count(owner, -1);
    const [next] = this.#waiting;
    if (!next) return;
    const [waiting, begin] = next;
    this.#waiting.delete(waiting);
    this.#count(waiting, 1);
    begin();
  }

  #count(owner: unknown, change: number): void {
    this.#running += change;
    const running = (this.#runningOf.get(owner) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }
}
