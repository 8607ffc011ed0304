import type { FileRecord } from '../storage/file-records.js';

/** Whether a file has expired: it is then absent for every caller, and removed soon. */
export function hasExpired({ expiresAt }: FileRecord): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Milliseconds between two removals of what has expired. */
const INTERVAL = 60_000;

/** Removes what has expired: at once, then every minute, one run at a time. It keeps no process alive. */
export class ExpiryTimer {
  readonly #remove: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  /** What `remove` throws is passed to `failed`; the next run tries again. */
  constructor(remove: () => Promise<void>, failed: (error: unknown) => void) {
    this.#remove = remove;
    this.#timer = setInterval(() => this.#run(failed), INTERVAL).unref();
    this.#run(failed);
  }

  /** Resolves once the run in progress has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(failed: (error: unknown) => void): void {
    this.#running ??= this.#remove()
      .catch(failed)
      .finally(() => {
        this.#running = undefined;
      });
  }
}
