import { setImmediate } from 'node:timers/promises';

/** Runs jobs one after the other, in the background. */
export class UploadQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #closed = false;

  /** Jobs that have not ended. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Adds a job. A job records its own failure: its exceptions are ignored, and the next job runs. */
  add(job: () => Promise<void>): void {
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      // Requests that arrived meanwhile go first.
      await setImmediate();
      try {
        if (!this.#closed) await job();
      } catch {
      } finally {
        this.#waiting -= 1;
      }
    });
  }

  /**
   * Waits for the running job and skips the others: their files are recorded as pending, and the next start indexes
   * them.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
  }
}
