import { setImmediate } from 'node:timers/promises';

/** Indexes uploaded files one after the other, behind the back of who uploads. */
export class UploadQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  /** Jobs that are not done yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** A job tells itself how it ended: what it throws is dropped, and the next one is done. */
  add(job: () => Promise<void>): void {
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      // Requests that came meanwhile have their turn.
      await setImmediate();
      try {
        if (!this.#closed) await job();
      } catch {
      } finally {
        this.#waiting -= 1;
      }
    });
  }

  /** Once what runs has ended; what waits stays as it is recorded, for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }
}
