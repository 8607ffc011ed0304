import { setImmediate } from 'node:timers/promises';
import { limitError } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { FairQueue } from '../../domain/scheduling/fair-queue.js';
import { Turns } from '../../domain/scheduling/turns.js';

/**
 * Bytes of large uploads in progress above which no other large one begins, and the same for small ones: each is in
 * memory until it is indexed. They are counted apart, so that small ones do not wait until large ones are embedded.
 */
const BYTES_AT_ONCE = 128 << 20;

/** Bytes of a large upload, at least. */
const LARGE = 1 << 20;

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
  readonly #turns = new Turns();
  /** Bytes in progress of small uploads, and of large ones. */
  readonly #bytes = { small: 0, large: 0 };
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
   * Waits until an upload may be accepted: one is accepted per turn of the event loop, and bots take turns. Throws
   * `RATE_LIMITED` if too many of the bot wait, `ABORTED`.
   */
  async admit(botId: string, signal?: AbortSignal): Promise<void> {
    await this.#turns.next(botId, signal);
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
    const hasRoom = ({ size }: UploadJob) => this.#bytes[kindOf(size)] < BYTES_AT_ONCE;
    for (;;) {
      const next = this.#queue.take((botId, job) => !this.#running.has(botId) && hasRoom(job));
      if (!next) return;
      const { owner, item } = next;
      this.#bytes[kindOf(item.size)] += item.size;
      this.#running.set(owner, this.#run(owner, item));
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
      this.#bytes[kindOf(size)] -= size;
      this.#running.delete(botId);
      this.advance();
      this.#queue.charge(botId, performance.now() - start + size * COST_PER_BYTE);
      this.#startNext();
    }
  }
}

function kindOf(size: number): 'small' | 'large' {
  return size < LARGE ? 'small' : 'large';
}
