import { setImmediate } from 'node:timers/promises';
import { untilAborted } from '../abortable.js';
import { FairQueue } from './fair-queue.js';

/** Turns of the event loop after each piece of work in which none begins, at most. */
const REST = 8;

/** Milliseconds after which no further such turn follows: on a busy loop, each turn takes as long as other work. */
const LONGEST_REST = 1;

/** A turn of the event loop that takes fewer milliseconds accepted no connection, so none is waiting. */
const IDLE_TURN = 0.03;

/** A piece of work that waits. */
interface Waiting {
  readonly begin: () => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Lets pieces of work that keep the event loop busy begin one after the other, in turns by owner, so that nobody waits
 * for all that another owner has sent. Node accepts one connection in each turn of the loop: between two pieces are
 * some turns for that alone, so that new callers do not wait for one piece each.
 */
export class Turns {
  readonly #waiting = new FairQueue<Waiting>();
  #isRunning = false;

  /** Resolves when the next piece of work of an owner may begin. Throws `ABORTED` as soon as the signal fires. */
  next(owner: unknown, signal?: AbortSignal): Promise<void> {
    const begun = new Promise<void>((begin) => this.#waiting.add(owner, { begin, signal }));
    if (!this.#isRunning) void this.#run();
    return untilAborted(begun, signal);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await setImmediate();
    for (let next = this.#waiting.take(); next; next = this.#waiting.take()) {
      if (next.item.signal?.aborted) continue;
      this.#waiting.charge(next.owner, 1);
      next.item.begin();
      // The piece itself runs before the next turn.
      await setImmediate();
      await rest();
    }
    this.#isRunning = false;
  }
}

async function rest(): Promise<void> {
  const begun = performance.now();
  let ended = begun;
  for (let turn = 0; turn < REST; turn++) {
    const last = ended;
    await setImmediate();
    ended = performance.now();
    if (ended - last < IDLE_TURN || ended - begun > LONGEST_REST) return;
  }
}
