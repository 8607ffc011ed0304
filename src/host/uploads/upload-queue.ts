import { setImmediate } from 'node:timers/promises';
import { limitError } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { FairQueue } from '../../domain/scheduling/fair-queue.js';
import { Pace } from '../../domain/scheduling/pace.js';

/** Bytes of uploads in progress above which no other one begins: each is in memory until it is indexed. */
const BYTES_AT_ONCE = 128 << 20;

/** What indexing costs, in milliseconds per byte, besides the time that it is measured to take: 1 s for 1 MB. */
const COST_PER_BYTE = 1e-3;

/** The indexing of one uploaded file. */
export interface UploadJob {
  /** Bytes of the content. */
  readonly size: number;
  /** Records its own failure: its exceptions are ignored, and the next job runs. */
  readonly run: () => Promise<void>;
}

/**
 * Indexes uploads in the background: one at a time for each bot, and several bots concurrently and in turns, so that no
 * bot waits for what another has sent.
 */
export class UploadQueue {
  readonly #queue = new FairQueue<UploadJob>();
  /** Bots with a job in progress, and what it ends with. */
  readonly #running = new Map<unknown, Promise<void>>();
  readonly #pace = new Pace();
  #bytes = 0;
  /** When a job began or ended, or a part of one was done; in milliseconds. */
  #progress = performance.now();
  #closed = false;

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Jobs that have not ended. */
  get waiting(): number {
    return this.#queue.size + this.#running.size;
  }

  /** Jobs of a bot that have not ended. */
  waitingOf(botId: string): number {
    return this.#queue.sizeOf(botId) + Number(this.#running.has(botId));
  }

  /** Milliseconds since jobs last made progress; 0 if there are none. */
  get stalled(): number {
    return this.waiting === 0 ? 0 : performance.now() - this.#progress;
  }

  /** Records that a part of a job is done. */
  advance(): void {
    this.#progress = performance.now();
  }

  /**
   * Waits until an upload may be accepted: one is in each turn of the event loop. Throws `RATE_LIMITED` if too many of
   * the bot wait.
   */
  async admit(botId: string): Promise<void> {
    await this.#pace.next();
    const given = this.waitingOf(botId) + 1;
    if (given <= LIMITS.waitingUploads.value) return;
    throw limitError({ limit: LIMITS.waitingUploads, given }, 'try again when some are indexed');
  }

  /** Adds a job of a bot. */
  add(botId: string, job: UploadJob): void {
    if (this.#closed) return;
    if (this.waiting === 0) this.advance();
    this.#queue.add(botId, job);
    this.#startNext();
  }

  /**
   * Waits for the jobs in progress and skips the others: their files are recorded as pending, and the next start
   * indexes them.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.takeAll();
    await Promise.all(this.#running.values());
  }

  #startNext(): void {
    while (this.#bytes < BYTES_AT_ONCE) {
      const next = this.#queue.take((botId) => !this.#running.has(botId));
      if (!next) return;
      this.#bytes += next.item.size;
      this.#running.set(next.owner, this.#run(next.owner, next.item));
    }
  }

  async #run(botId: unknown, { size, run }: UploadJob): Promise<void> {
    // Requests that arrived meanwhile go first.
    await setImmediate();
    const start = performance.now();
    try {
      if (!this.#closed) await run();
    } catch {
    } finally {
      this.#bytes -= size;
      this.#running.delete(botId);
      this.advance();
      this.#queue.charge(botId, performance.now() - start + size * COST_PER_BYTE);
      this.#startNext();
    }
  }
}
