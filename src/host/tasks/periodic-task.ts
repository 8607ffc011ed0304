// Not the global timers: environments that replace them with browser timers return numbers.
import { clearInterval, setInterval } from 'node:timers';
import { reasonOf } from '../../domain/errors.js';

/** Runs work at once and then periodically, one run at a time. It does not keep the process alive. */
export class PeriodicTask {
  readonly #work: () => Promise<void>;
  readonly #onFailure: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #hasFailed = false;

  /**
   * The message of what `work` throws is passed to `onFailure`, unless the previous run failed, too; the next run tries
   * again. `every` is in milliseconds.
   */
  constructor(
    work: () => Promise<void>,
    { every, onFailure }: { readonly every: number; readonly onFailure: (reason: string) => void },
  ) {
    this.#work = work;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => this.#begin(), every).unref();
    this.#begin();
  }

  /** Resolves once the run in progress has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #begin(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    try {
      await this.#work();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#onFailure(reasonOf(error));
      this.#hasFailed = true;
    }
  }
}
