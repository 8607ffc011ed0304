import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { WaymarkError } from '../errors.js';
import type { Job, Outcome, ProcessModel, Unloadable } from './embed-process.js';

interface Task extends Job {
  /** Looked at when the job's turn comes: one that runs already is not interrupted. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Jobs that a process has at once: it never waits for the next, and a query not for long behind passages. */
const PASSAGES_AT_ONCE = 2;
const QUERIES_AT_ONCE = 16;

/** Milliseconds after a query in which passages are left out of one process: who searches is likely to ask again. */
const EXPECTING = 1000;

/**
 * Runs jobs in up to `size` processes, each one after the other; queries go first. Processes start when needed. They are
 * processes, not worker threads, because onnxruntime-node 1.14 keeps state of one thread where another frees it: ending
 * a thread that has loaded it, then starting one, corrupts the heap of the whole program.
 */
export class ProcessPool {
  readonly #model: ProcessModel;
  readonly #size: number;
  /** The processes, and what each has to do, by id. */
  readonly #children = new Map<ChildProcess, Map<number, Task>>();
  readonly #urgent: Task[] = [];
  readonly #queue: Task[] = [];
  #nextId = 0;
  /** When the last query came. */
  #asked = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(model: ProcessModel, size: number) {
    this.#model = model;
    this.#size = size;
  }

  run(kind: Job['kind'], text: string, signal?: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const task = { id: this.#nextId++, kind, text, signal, resolve, reject };
      (kind === 'passage' ? this.#queue : this.#urgent).push(task);
      if (kind === 'query') this.#asked = performance.now();
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const children = [...this.#children.keys()];
    this.#rejectAll(
      closedError(),
      [...this.#children.values()].flatMap((tasks) => [...tasks.values()]),
    );
    this.#children.clear();
    await Promise.all(
      children.map(async (child) => {
        child.ref();
        // It has nothing to finish: all that it knows came from here.
        if (child.kill('SIGKILL')) await once(child, 'exit');
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
      const child = this.#free(task.kind);
      if (!child) return;
      queue.shift();
      this.#children.get(child)?.set(task.id, task);
      setKeepingAlive(child, true);
      // One that could not be started, or has just ended, has no channel: what follows tells why.
      if (child.connected) child.send({ id: task.id, kind: task.kind, text: task.text } satisfies Job);
    }
  }

  /** The process with the least to do, a new one where all have something to do; undefined where all have enough. */
  #free(kind: Job['kind']): ChildProcess | undefined {
    const enough = kind === 'passage' ? PASSAGES_AT_ONCE : QUERIES_AT_ONCE;
    const kept = kind === 'passage' && performance.now() < this.#asked + EXPECTING ? 1 : 0;
    const processes = Math.max(1, this.#size - kept);
    let [free, least] = [undefined as ChildProcess | undefined, enough];
    for (const [child, tasks] of [...this.#children].slice(0, processes)) {
      if (tasks.size < least) [free, least] = [child, tasks.size];
    }
    return (free === undefined || least > 0) && this.#children.size < processes ? this.#start() : free;
  }

  #start(): ChildProcess {
    const child = fork(new URL('./embed-process.js', import.meta.url), [JSON.stringify(this.#model)], {
      serialization: 'advanced',
      // The caller's flags, such as a debugger's port, are not this process's.
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#children.set(child, new Map());
    child.on('message', (outcome: Outcome | Unloadable) => {
      if ('unloadable' in outcome) this.#lose(child, outcome.unloadable);
      else this.#finish(child, outcome);
    });
    child.on('error', (cause) => this.#lose(child, cause));
    child.on('exit', (code, signal) =>
      this.#lose(child, new Error(`its process ended with ${signal ?? `code ${code}`}`)),
    );
    return child;
  }

  #finish(child: ChildProcess, outcome: Outcome): void {
    const tasks = this.#children.get(child);
    const task = tasks?.get(outcome.id);
    if (!tasks || !task) return;
    tasks.delete(outcome.id);
    if (tasks.size === 0) setKeepingAlive(child, false);
    task.resolve(outcome);
    this.#dispatch();
  }

  /** A process that ended takes its jobs with it, and what waits would meet the same end; the next job starts another. */
  #lose(child: ChildProcess, cause: unknown): void {
    const tasks = this.#children.get(child);
    this.#children.delete(child);
    if (!tasks || tasks.size === 0) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The model in ${this.#model.folder} could not be run (${reason}): check its files and what the system lets processes use, or choose another model.`;
    this.#rejectAll(new WaymarkError('EMBEDDER_FAILED', message, { cause }), [...tasks.values()]);
  }

  #rejectAll(error: WaymarkError, running: readonly Task[]): void {
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
