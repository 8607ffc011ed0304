import { setImmediate } from 'node:timers/promises';

/** Lets one piece of work begin in each turn of the event loop, so that many of them do not delay everything else. */
export class Pace {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the next piece of work may begin, in the order of the calls. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
