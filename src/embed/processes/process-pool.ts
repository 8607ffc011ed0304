import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { WaymarkError } from '../../domain/errors.js';
import type { Job, Outcome, ProcessModel, Start } from './protocol.js';

interface Task extends Job {
  /** Checked when the task is dispatched: one that has been sent to a process is not interrupted. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** How many processes died while they had the task. */
  crashes: number;
}

/** A process and the tasks sent to it, by id. */
interface Child {
  readonly process: ChildProcess;
  readonly tasks: Map<number, Task>;
  loaded: boolean;
}

/** A text is given up when this many processes have died with it. */
const MAXIMUM_CRASHES = 3;

/** The model is given up when this many processes in a row have died before they had loaded it. */
const MAXIMUM_FAILED_STARTS = 3;

/** How many characters of a text an error message quotes. */
const QUOTED_CHARACTERS = 60;

const EMBED_PROCESS = new URL('./embed-process.js', import.meta.url);

/** Tasks sent to a process at once: enough that it never idles, few enough that a query does not wait long. */
const PASSAGES_AT_ONCE = 2;
const QUERIES_AT_ONCE = 16;

/** For this many milliseconds after a query, one process is kept free of passages: another query is likely. */
const RESERVED_MS = 1000;

/**
 * Runs jobs in up to `size` processes, each one job at a time; queries overtake passages. Processes are started on
 * demand. If one dies, each of its jobs is run again alone in a process, so that a text that crashes the runtime takes
 * no other text with it. Processes rather than worker threads, because onnxruntime-node 1.14 corrupts the heap of the
 * whole program when a thread that has loaded it ends and another one starts.
 */
export class ProcessPool {
  readonly #model: ProcessModel;
  readonly #size: number;
  readonly #program: URL;
  readonly #children = new Set<Child>();
  readonly #urgent: Task[] = [];
  readonly #passages: Task[] = [];
  #nextId = 0;
  /** When the last query arrived. */
  #lastQuery = Number.NEGATIVE_INFINITY;
  /** How many processes in a row died before they had loaded the model. */
  #failedStarts = 0;
  #closed = false;

  /** `program`: what each process runs. Defaults to embed-process. */
  constructor(model: ProcessModel, { size, program = EMBED_PROCESS }: { size: number; program?: URL }) {
    this.#model = model;
    this.#size = size;
    this.#program = program;
  }

  /**
   * Runs one job. Rejects with `ABORTED` if the signal fires before the job is sent to a process, `EMBEDDER_FAILED` if
   * the model cannot be loaded or the text repeatedly kills its process, `ENGINE_CLOSED`.
   */
  run(kind: Job['kind'], text: string, signal?: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const task = { id: this.#nextId++, kind, text, signal, resolve, reject, crashes: 0 };
      this.#queueOf(task).push(task);
      if (kind === 'query') this.#lastQuery = performance.now();
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
        // The process holds no state worth saving.
        if (process.kill('SIGKILL')) await once(process, 'exit');
      }),
    );
  }

  #dispatch(): void {
    for (;;) {
      const queue = this.#urgent.length > 0 ? this.#urgent : this.#passages;
      const [task] = queue;
      if (!task) return;
      if (task.signal?.aborted) {
        queue.shift();
        task.reject(new WaymarkError('ABORTED', 'Embedding was aborted.', { cause: task.signal.reason }));
        continue;
      }
      const child = this.#childFor(task);
      if (!child) return;
      queue.shift();
      child.tasks.set(task.id, task);
      setKeepingAlive(child.process, true);
      // A process that failed to start or has just died has no channel; its 'error' or 'exit' event follows.
      if (child.process.connected) {
        child.process.send({ id: task.id, kind: task.kind, text: task.text } satisfies Job);
      }
    }
  }

  #queueOf({ kind }: Task): Task[] {
    return kind === 'passage' ? this.#passages : this.#urgent;
  }

  /** The least busy process, or a new one if none is idle; undefined if all are full. */
  #childFor({ kind, crashes }: Task): Child | undefined {
    const full = crashes > 0 ? 1 : kind === 'passage' ? PASSAGES_AT_ONCE : QUERIES_AT_ONCE;
    const reserved = kind === 'passage' && performance.now() < this.#lastQuery + RESERVED_MS ? 1 : 0;
    const usable = Math.max(1, this.#size - reserved);
    let [chosen, fewest] = [undefined as Child | undefined, full];
    for (const child of [...this.#children].slice(0, usable)) {
      const { tasks } = child;
      const hasSuspect = [...tasks.values()].some((task) => task.crashes > 0);
      if (tasks.size < fewest && !hasSuspect) [chosen, fewest] = [child, tasks.size];
    }
    return (chosen === undefined || fewest > 0) && this.#children.size < usable ? this.#start() : chosen;
  }

  #start(): Child {
    const process = fork(this.#program, [JSON.stringify(this.#model)], {
      serialization: 'advanced',
      // Does not inherit the caller's flags, such as a debugger's port.
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
    process.on('error', (cause) => this.#onDeath(child, cause));
    process.on('exit', (code, signal) =>
      this.#onDeath(child, new Error(`its process ended with ${signal ?? `code ${code}`}`)),
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

  /** Requeues the tasks of a process that died, ahead of those that wait. */
  #onDeath(child: Child, cause: unknown): void {
    if (!this.#children.delete(child)) return;
    // After an 'error' event the process may still be running.
    child.process.kill('SIGKILL');
    if (!child.loaded) this.#failedStarts += 1;
    if (this.#failedStarts >= MAXIMUM_FAILED_STARTS) {
      this.#giveUp(child, cause);
      return;
    }
    for (const task of [...child.tasks.values()].reverse()) {
      // A process that had not loaded the model has not seen the text.
      if (child.loaded) task.crashes += 1;
      if (task.crashes >= MAXIMUM_CRASHES) task.reject(this.#crashError(task, cause));
      else this.#queueOf(task).unshift(task);
    }
    this.#dispatch();
  }

  /** Rejects all tasks because the model cannot be loaded. The next task tries again. */
  #giveUp(child: Child, cause: unknown): void {
    this.#children.delete(child);
    this.#failedStarts = 0;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `The model in ${this.#model.folder} could not be run (${reason}): ` +
      "check its files and the system's limits on processes, or choose another model.";
    this.#rejectAll(new WaymarkError('EMBEDDER_FAILED', message, { cause }), [child]);
  }

  #crashError({ text }: Task, cause: unknown): WaymarkError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const quoted = JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text);
    const message =
      `The model in ${this.#model.folder} crashed ${MAXIMUM_CRASHES} times on the text ${quoted} (${reason}): ` +
      'remove the text, or choose another model.';
    return new WaymarkError('EMBEDDER_FAILED', message, { cause });
  }

  #rejectAll(error: WaymarkError, children: readonly Child[]): void {
    const running = children.flatMap(({ tasks }) => [...tasks.values()]);
    for (const task of [...running, ...this.#urgent.splice(0), ...this.#passages.splice(0)]) task.reject(error);
  }
}

/** An idle process does not keep the caller alive, and ends with it, when their channel closes. */
function setKeepingAlive(child: ChildProcess, keepAlive: boolean): void {
  if (keepAlive) {
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
