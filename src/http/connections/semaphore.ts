import { setImmediate } from 'node:timers/promises';

/** Limits how many pieces of work run at a time. Nothing queues: work over the limit is refused. */
export class Semaphore {
  readonly #limit: number;
  #running = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * Runs the work; returns undefined without running it if the limit is reached. One piece of work starts in each turn
   * of the event loop, because Node accepts one connection per turn: if many started in one turn, the connections of
   * other callers would wait for all of them.
   */
  async tryRun<T>(work: () => Promise<T>): Promise<{ done: T } | undefined> {
    if (this.#running >= this.#limit) return undefined;
    this.#running += 1;
    try {
      this.#turn = this.#turn.then(() => setImmediate());
      await this.#turn;
      return { done: await work() };
    } finally {
      this.#running -= 1;
    }
  }
}
