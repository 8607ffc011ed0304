import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { WaymarkError } from '../../domain/errors.js';
import type { CutFile, ParseJob, ParseWorkerData } from './parse-worker.js';

/** Milliseconds after which a text is given up and cut at lines: the parser needs about one for a kilobyte. */
const DEADLINE = 10_000;

/** Milliseconds that cutting at lines may take beyond that for each million characters: prose needs half a second, data up to ten. */
const DEADLINE_A_MILLION = 5_000;

/** Megabytes that a thread may hold of what it makes; documentation needs about 250 a million characters. */
const MEMORY = 1024;

/** Milliseconds after which a thread without work is ended: each holds some 90 MB. */
const IDLE = 5_000;

/** What a thread says first. */
interface Loaded {
  readonly loaded: true;
}

type Reply = { readonly file: CutFile } | { readonly error: unknown };

/** Why a thread was given up: what it did took too long, or too much memory. */
type GivenUp = 'late' | 'large';

/** Parses texts on worker threads, several at once; the threads start with the first text. */
export class ParsePool {
  readonly size: number;
  readonly #data: ParseWorkerData;
  readonly #deadline: number;
  readonly #memory: number;
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiting: { readonly resolve: (worker: Worker) => void; readonly reject: (error: Error) => void }[] = [];
  /** The threads, and when each has loaded what it runs, or has ended. */
  readonly #all = new Map<Worker, Promise<unknown>>();
  #closed = false;

  constructor(
    data: ParseWorkerData,
    options?: { readonly threads?: number; readonly deadline?: number; readonly memory?: number },
  ) {
    this.#data = data;
    this.size = options?.threads ?? availableParallelism();
    this.#deadline = options?.deadline ?? DEADLINE;
    this.#memory = options?.memory ?? MEMORY;
  }

  /** The passages of a markdown text; of one that takes the parser too long or too much, cut at lines, with a warning. */
  async parse(text: string): Promise<CutFile> {
    const parsed = await this.#run({ text }, this.#deadline);
    if (parsed === 'late') return this.cutLines(text, `too intricate to be parsed ${this.#within(this.#deadline)}`);
    if (parsed === 'large') return this.cutLines(text, `too large to be parsed ${this.#within()}`);
    return parsed;
  }

  /** The passages of a text that is not to be parsed; the reason becomes its warning. */
  async cutLines(text: string, reason: string): Promise<CutFile> {
    const deadline = this.#deadline + (text.length / 1e6) * DEADLINE_A_MILLION;
    const cut = await this.#run({ text, plain: reason }, deadline);
    if (typeof cut !== 'string') return cut;
    const within = cut === 'late' ? this.#within(deadline) : this.#within();
    throw new WaymarkError('INVALID_ARGUMENT', `The text could not be cut ${within}: split the file.`);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    await Promise.all([...this.#all].map(([worker, loaded]) => this.#end(worker, loaded)));
  }

  /** Once it is loaded, if that ever is: the files that a thread reads when it is ended stay open. */
  async #end(worker: Worker, loaded: Promise<unknown>): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([loaded, delay(this.#deadline, undefined, waiting).catch(() => {})]);
    waiting.abort();
    await worker.terminate();
  }

  #within(deadline?: number): string {
    return deadline === undefined ? `with ${this.#memory} MB of memory` : `within ${Math.round(deadline / 1000)} s`;
  }

  /** What a thread makes of a job. */
  async #run(job: ParseJob, deadline: number): Promise<CutFile | GivenUp> {
    const worker = await this.#take();
    worker.ref();
    try {
      const reply = await replyOf(worker, job, deadline);
      if (reply === 'late' || reply === 'large') {
        await worker.terminate();
        this.#replace(worker);
        return reply;
      }
      this.#next(worker);
      if ('error' in reply) throw reply.error;
      return reply.file;
    } catch (cause) {
      if (cause instanceof DeadThread) {
        this.#replace(worker);
        throw new WaymarkError(
          'EMBEDDER_FAILED',
          `The text could not be parsed (${cause.message}): check the model's files, and the memory and open files that the process may use.`,
          {
            cause: cause.cause,
          },
        );
      }
      throw cause;
    }
  }

  async #take(): Promise<Worker> {
    if (this.#closed) throw closedError();
    const idle = this.#idle.pop();
    clearTimeout(idle?.timer);
    if (idle) return idle.worker;
    if (this.#all.size < this.size) return this.#start();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #next(worker: Worker): void {
    // It is being ended, and the program must not end before that is done.
    if (this.#closed) return;
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting.resolve(worker);
    } else {
      worker.unref();
      const timer = setTimeout(() => this.#retire(worker), IDLE).unref();
      this.#idle.push({ worker, timer });
    }
  }

  /** Ends a thread that has been idle for long; the next text starts another. */
  #retire(worker: Worker): void {
    this.#forget(worker);
    worker.terminate();
  }

  #forget(worker: Worker): void {
    const at = this.#idle.findIndex((idle) => idle.worker === worker);
    const [idle] = at >= 0 ? this.#idle.splice(at, 1) : [];
    clearTimeout(idle?.timer);
  }

  /**
   * A new thread in place of one that ended, where a text waits for it: one that could not start either, as where no file
   * can be opened, is not to be met by the next text. Throws `ENGINE_CLOSED`.
   */
  #replace(ended: Worker): void {
    if (this.#closed) throw closedError();
    this.#all.delete(ended);
    this.#waiting.shift()?.resolve(this.#start());
  }

  #start(): Worker {
    // Not the process's own flags: --input-type, as with node --eval, would keep the thread from starting.
    const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
      workerData: this.#data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#memory },
    });
    const loaded = new Promise((resolve) =>
      worker.once('message', resolve).once('error', resolve).once('exit', resolve),
    );
    this.#all.set(worker, loaded);
    // Why it ended is told to whoever waits for its reply.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#all.delete(worker);
      this.#forget(worker);
    });
    return worker;
  }
}

class DeadThread extends Error {}

function closedError(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine was closed while a text was parsed: open it again.');
}

function replyOf(worker: Worker, job: ParseJob, deadline: number): Promise<Reply | GivenUp> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve('late')), deadline);
    const onMessage = (reply: Reply | Loaded) => {
      // What it takes a busy machine to load a thread is no fault of the text.
      if ('loaded' in reply) timer.refresh();
      else settle(() => resolve(reply));
    };
    const onError = (cause: Error & { readonly code?: string }) =>
      settle(() => {
        if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve('large');
        else reject(new DeadThread(cause.message, { cause }));
      });
    const onExit = (code: number) => settle(() => reject(new DeadThread(`the thread ended with code ${code}`)));
    const settle = (then: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      then();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}
