import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { WaymarkError } from '../domain/errors.js';
import type { Job, Outcome, ProcessModel, Start } from './embed-process.js';

interface Task extends Job {
  /** Looked at when the job's turn comes: one that runs already is not interrupted. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Processes that ended while they had it. */
  lost: number;
}

/** A process, and what it has to do, by id. */
interface Child {
  readonly process: ChildProcess;
  readonly tasks: Map<number, Task>;
  loaded: boolean;
}

/** Processes that may end while they have a text before the text is given up. */
const TRIES = 3;

/** Processes that may end one after the other before they have loaded the model. */
const STARTS = 3;

/** Characters by which an error names a text. */
const NAMED_BY = 60;

const EMBED_PROCESS = new URL('./embed-process.js', import.meta.url);

/** Jobs that a process has at once: it never waits for the next, and a query not for long behind passages. */
const PASSAGES_AT_ONCE = 2;
const QUERIES_AT_ONCE = 16;

/** Milliseconds after a query in which passages are left out of one process: who searches is likely to ask again. */
const EXPECTING = 1000;

/**
 * Runs jobs in up to `size` processes, each one after the other; queries go first. Processes start when needed; the jobs
 * of one that ended are done again by another, alone, so that a text that ends its process takes no other with it. They are
 * processes, not worker threads, because onnxruntime-node 1.14 keeps state of one thread where another frees it: ending
 * a thread that has loaded it, then starting one, corrupts the heap of the whole program.
 */
export class ProcessPool {
  readonly #model: ProcessModel;
  readonly #size: number;
  readonly #program: URL;
  readonly #children = new Set<Child>();
  readonly #urgent: Task[] = [];
  readonly #queue: Task[] = [];
  #nextId = 0;
  /** When the last query came. */
  #asked = Number.NEGATIVE_INFINITY;
  /** Processes that ended before they had loaded the model, since one last did a job. */
  #failedStarts = 0;
  #closed = false;

  /** `program`: what each process runs; embed-process unless given. */
  constructor(model: ProcessModel, { size, program = EMBED_PROCESS }: { size: number; program?: URL }) {
    this.#model = model;
    this.#size = size;
    this.#program = program;
  }

  run(kind: Job['kind'], text: string, signal?: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const task = { id: this.#nextId++, kind, text, signal, resolve, reject, lost: 0 };
      (kind === 'passage' ? this.#queue : this.#urgent).push(task);
      if (kind === 'query') this.#asked = performance.now();
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const children = [...this.#children];
    this.#children.clear();
    this.#rejectAll(closedError(), children);
    await Promise.all(
      children.map(async ({ process }) => {
        process.ref();
        // It has nothing to finish: all that it knows came from here.
        if (process.kill('SIGKILL')) await once(process, 'exit');
      }),
    );
  }

  #dispatch(): void {
    for (;;) {
      const queue = this.#urgent.length > 0 ? this.#urgent : this.#queue;
      const [task] = queue;
      if (!task) return;
      if (task.signal?.aborted) {
        queue.shift();
        task.reject(new WaymarkError('ABORTED', 'Stopped before it was done.', { cause: task.signal.reason }));
        continue;
      }
      const child = this.#free(task);
      if (!child) return;
      queue.shift();
      child.tasks.set(task.id, task);
      setKeepingAlive(child.process, true);
      // One that could not be started, or has just ended, has no channel: what follows tells why.
      if (child.process.connected) {
        child.process.send({ id: task.id, kind: task.kind, text: task.text } satisfies Job);
      }
    }
  }

  /** The process with the least to do, a new one where all have something to do; undefined where all have enough. */
  #free({ kind, lost }: Task): Child | undefined {
    const enough = lost > 0 ? 1 : kind === 'passage' ? PASSAGES_AT_ONCE : QUERIES_AT_ONCE;
    const kept = kind === 'passage' && performance.now() < this.#asked + EXPECTING ? 1 : 0;
    const processes = Math.max(1, this.#size - kept);
    let [free, least] = [undefined as Child | undefined, enough];
    for (const child of [...this.#children].slice(0, processes)) {
      const { tasks } = child;
      if (tasks.size < least && ![...tasks.values()].some((task) => task.lost > 0)) [free, least] = [child, tasks.size];
    }
    return (free === undefined || least > 0) && this.#children.size < processes ? this.#start() : free;
  }

  #start(): Child {
    const process = fork(this.#program, [JSON.stringify(this.#model)], {
      serialization: 'advanced',
      // The caller's flags, such as a debugger's port, are not this process's.
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const child: Child = { process, tasks: new Map(), loaded: false };
    this.#children.add(child);
    process.on('message', (message: Outcome | Start) => {
      if ('unloadable' in message) this.#giveUp(child, message.unloadable);
      else if ('loaded' in message) child.loaded = true;
      else this.#finish(child, message);
    });
    process.on('error', (cause) => this.#lose(child, cause));
    process.on('exit', (code, signal) =>
      this.#lose(child, new Error(`its process ended with ${signal ?? `code ${code}`}`)),
    );
    return child;
  }

  #finish(child: Child, outcome: Outcome): void {
    const task = child.tasks.get(outcome.id);
    if (!task || !this.#children.has(child)) return;
    child.tasks.delete(outcome.id);
    this.#failedStarts = 0;
    if (child.tasks.size === 0) setKeepingAlive(child.process, false);
    task.resolve(outcome);
    this.#dispatch();
  }

  /** What a process that ended had to do is done again by another, before what waits. */
  #lose(child: Child, cause: unknown): void {
    if (!this.#children.delete(child)) return;
    // One that cannot be spoken to may still run.
    child.process.kill('SIGKILL');
    if (!child.loaded) this.#failedStarts += 1;
    if (this.#failedStarts >= STARTS) {
      this.#giveUp(child, cause);
      return;
    }
    for (const task of [...child.tasks.values()].reverse()) {
      // One that ended before it was loaded has not seen the text.
      if (child.loaded) task.lost += 1;
      if (task.lost >= TRIES) task.reject(this.#lostText(task, cause));
      else (task.kind === 'passage' ? this.#queue : this.#urgent).unshift(task);
    }
    this.#dispatch();
  }

  /** A model that cannot be loaded: what waits would meet the same end. The next job tries again. */
  #giveUp(child: Child, cause: unknown): void {
    this.#children.delete(child);
    this.#failedStarts = 0;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The model in ${this.#model.folder} could not be run (${reason}): check its files and what the system lets processes use, or choose another model.`;
    this.#rejectAll(new WaymarkError('EMBEDDER_FAILED', message, { cause }), [child]);
  }

  #lostText({ text }: Task, cause: unknown): WaymarkError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const named = JSON.stringify(text.length > NAMED_BY ? `${text.slice(0, NAMED_BY)}…` : text);
    const message = `The model in ${this.#model.folder} ended ${TRIES} times over the text ${named} (${reason}): take the text out, or choose another model.`;
    return new WaymarkError('EMBEDDER_FAILED', message, { cause });
  }

  #rejectAll(error: WaymarkError, children: readonly Child[]): void {
    const running = children.flatMap(({ tasks }) => [...tasks.values()]);
    for (const task of [...running, ...this.#urgent.splice(0), ...this.#queue.splice(0)]) task.reject(error);
  }
}

/** An idle process must not keep the caller's alive; it ends with it, when their channel closes. */
function setKeepingAlive(child: ChildProcess, alive: boolean): void {
  if (alive) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function closedError(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The embedder is closed: open the engine again.');
}
