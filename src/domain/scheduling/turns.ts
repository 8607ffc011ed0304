import { setImmediate } from 'node:timers/promises';
import { FairQueue } from './fair-queue.js';

/** Turns of the event loop after each piece of work in which none begins. */
const REST = 8;

/**
 * Lets pieces of work that keep the event loop busy begin one after the other, in turns by owner, so that nobody waits
 * for all that another owner has sent. Node accepts one connection in each turn of the loop: between two pieces are
 * some turns for that alone, so that new callers do not wait for one piece each.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isRunning = false;

  /** Resolves when the next piece of work of an owner may begin. */
  next(owner: unknown): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.add(owner, begin);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await setImmediate();
      const next = this.#waiting.take();
      if (!next) break;
      this.#waiting.charge(next.owner, 1);
      next.item();
      for (let turn = 0; turn < REST; turn++) await setImmediate();
    }
    this.#isRunning = false;
  }
}
