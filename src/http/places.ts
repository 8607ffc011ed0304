import { setImmediate } from 'node:timers/promises';

/** A bounded number of places, each taken by one piece of work; none waits for one. */
export class Places {
  readonly #count: number;
  #taken = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(count: number) {
    this.#count = count;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Does the work in a place of its own; undefined where there is none, and nothing done. Work begins one piece a turn of the
   * event loop: Node accepts one connection a turn, so fifty callers at once, all searched for in each turn, kept the last
   * of them waiting for 3 s.
   */
  async do<T>(work: () => Promise<T>): Promise<{ done: T } | undefined> {
    if (this.#taken >= this.#count) return undefined;
    this.#taken += 1;
    try {
      this.#turn = this.#turn.then(() => setImmediate());
      await this.#turn;
      return { done: await work() };
    } finally {
      this.#taken -= 1;
    }
  }
}
