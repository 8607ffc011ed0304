import { setImmediate } from 'node:timers/promises';

/**
 * Limits how many pieces of work run at a time, in all and for each owner. Nothing queues: work over a limit is
 * refused. An owner may have as many running as are free then (dynamic thresholds: Choudhury, Hahne 1998): one owner
 * alone has at most half, rounded up, and each further owner may have half of the rest.
 */
export class Semaphore {
  readonly #limit: number;
  #running = 0;
  readonly #runningOf = new Map<unknown, number>();
  #turn: Promise<void> = Promise.resolve();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * Runs the work of an owner; returns undefined without running it if a limit is reached. One piece of work starts in
   * each turn of the event loop, because Node accepts one connection per turn: if many started in one turn, the
   * connections of other callers would wait for all of them.
   */
  async tryRun<T>(work: () => Promise<T>, owner: unknown): Promise<{ done: T } | undefined> {
    if ((this.#runningOf.get(owner) ?? 0) >= this.#limit - this.#running) return undefined;
    this.#count(owner, 1);
    try {
      this.#turn = this.#turn.then(() => setImmediate());
      await this.#turn;
      return { done: await work() };
    } finally {
      this.#count(owner, -1);
    }
  }

  #count(owner: unknown, change: number): void {
    this.#running += change;
    const running = (this.#runningOf.get(owner) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }
}
