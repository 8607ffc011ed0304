import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Allowance, TICK } from './allowance.js';
import type { Exceeded, Job, ParseMessage, ParseReply, ParseSettings, ResultOf } from './parse-job.js';
import type { Thread } from './thread-pool.js';
import { threadTime } from './thread-time.js';

/** Milliseconds that a thread may take to load its modules before it is terminated anyway. */
const LOADING = 10_000;

/** Milliseconds, pauses of the machine apart, after which a thread that loads its modules for a job is given up. */
const SLOWEST_LOADING = 60_000;

/**
 * The memory at which V8 ends a thread, by that at which the thread is ended from outside. V8 ends the whole process
 * instead where one allocation goes far beyond its limit, as that of a long array does: it must not get there.
 */
const V8_LIMIT = 4;

/** What a parser may take in the heap and outside of it together, by what an extractor may: it is code of our own. */
const PARSER_MEMORY = 2;

/** Thrown when a thread ended while it worked on a job. */
export class DeadThread extends Error {}

/** A worker thread that does one job at a time. */
export class ParseThread implements Thread {
  readonly #worker: Worker;
  /** Bytes by which the process may grow. */
  readonly #memory: () => number;
  readonly #ended: Promise<void>;
  #failure: (Error & { readonly code?: string }) | undefined;
  /** Resolves when the thread has loaded what its first or current job needs. */
  #loading: Promise<void>;

  /**
   * Calls `onEnd` once the thread has ended, for whatever reason. `memory`, in megabytes, is what each of the threads
   * that work may take, `working` is how many do.
   */
  constructor(
    settings: ParseSettings,
    { memory, working, onEnd }: { memory: number; working: () => number; onEnd: () => void },
  ) {
    this.#memory = () => memory * 2 ** 20 * Math.max(1, working());
    this.#worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
      workerData: settings,
      // Not the flags of the process: --input-type, as with node --eval, would keep the thread from starting.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: V8_LIMIT * memory },
    });
    this.#loading = this.#nextMessage();
    this.#worker.on('error', (error) => {
      this.#failure = error as Error;
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        onEnd();
        resolve();
      });
    });
  }

  /**
   * Does a job. One that exceeds the deadline, in milliseconds of the thread's processor time once its modules are
   * loaded, or the memory of the thread ends the thread. Throws what the parser throws, and `DeadThread` if the thread
   * ends otherwise or does nothing.
   */
  async run<J extends Job>(job: J, { deadline }: { deadline: number }): Promise<ResultOf<J> | Exceeded> {
    const reply = await this.#replyTo(job, deadline);
    if (typeof reply === 'string') await this.#worker.terminate();
    if (reply === 'stalled') throw new DeadThread('its thread did nothing for a minute');
    if (typeof reply === 'string') return reply;
    if (reply.type === 'error') throw reply.error;
    return reply.result as ResultOf<J>;
  }

  /** Terminates the thread, once it has loaded its modules: files that it is reading at that moment would stay open. */
  async end(): Promise<void> {
    const waiting = new AbortController();
    const timeout = delay(LOADING, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.#loading, this.#ended, timeout]);
    waiting.abort();
    await this.#worker.terminate();
  }

  hold(): void {
    this.#worker.ref();
  }

  release(): void {
    this.#worker.unref();
  }

  /** A job's first message comes once its modules are loaded. */
  #nextMessage(): Promise<void> {
    return new Promise((resolve) => this.#worker.once('message', () => resolve()));
  }

  /** Whether the process has grown by more than the threads may take, in the heap or outside of it. */
  #outgrows(job: Job, before: number | undefined): boolean {
    const allowed = this.#memory() * ('bytes' in job ? 1 : PARSER_MEMORY);
    return before !== undefined && (residentMemory() ?? before) - before > allowed;
  }

  #replyTo(job: Job, deadline: number): Promise<ParseReply | Exceeded | 'stalled'> {
    return new Promise((resolve, reject) => {
      this.#loading = this.#nextMessage();
      // Modules load slowly on a busy machine, and the text is not to blame.
      const loading = new Allowance(SLOWEST_LOADING);
      let tick = (): Exceeded | 'stalled' | undefined => loading.tick(undefined) && 'stalled';
      const ticks = setInterval(() => {
        const over = tick();
        if (over) settle(() => resolve(over));
      }, TICK);
      const settle = (action: () => void) => {
        clearInterval(ticks);
        this.#worker.off('message', onMessage).off('exit', onExit);
        action();
      };
      const onMessage = (message: ParseMessage) => {
        if (message.type !== 'loaded') return settle(() => resolve(message));
        const { thread } = message;
        const parsing = new Allowance(deadline);
        const before = residentMemory();
        tick = () => parsing.tick(thread && threadTime(thread)) ?? (this.#outgrows(job, before) ? 'memory' : undefined);
        tick();
      };
      // Not on `error`, which precedes it: a thread that has not yet ended must not be given the next text.
      const onExit = (code: number) =>
        settle(() => {
          const cause = this.#failure;
          if (cause?.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve('memory');
          else reject(new DeadThread(cause?.message ?? `the thread ended with code ${code}`, { cause }));
        });
      this.#worker.on('message', onMessage).on('exit', onExit);
      this.#worker.postMessage(job);
    });
  }
}

/** Bytes of memory that the process has; undefined while it has no open files left to read them from. */
function residentMemory(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
