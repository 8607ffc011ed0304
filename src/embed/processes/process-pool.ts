import { abortedBy } from '../../domain/abortable.js';
import { reasonOf, WaymarkError } from '../../domain/errors.js';
import { FairQueue } from '../../domain/scheduling/fair-queue.js';
import type { EmbedOptions } from '../embedder.js';
import type { Model } from '../model/model.js';
import { ModelProcess, type Task } from './model-process.js';
import type { Job, Outcome } from './protocol.js';

/** A text is given up when this many processes have died with it. */
const MAXIMUM_CRASHES = 3;

/** The model is given up when this many processes in a row have died before they had loaded it, and none is left. */
const MAXIMUM_FAILED_STARTS = 3;

/** How many characters of a text an error message quotes. */
const QUOTED_CHARACTERS = 60;

const EMBED_PROCESS = new URL('./embed-process.js', import.meta.url);

/**
 * Tasks that a process holds at once: enough that it never idles, few enough that other owners soon have their turn.
 */
const TASKS_AT_ONCE = 2;

/** Short queries that it holds at once: sending one takes as long as embedding it. */
const SHORT_AT_ONCE = 16;

/** Short queries have fewer than this many characters in all. */
const SHORT = 1000;

/** For this many milliseconds after a process could not load the model, none is started beside others. */
const GROWTH_PAUSE_MS = 60_000;

/** For this many milliseconds after a query, one process is kept free of passages: another query is likely. */
const RESERVED_MS = 1000;

/**
 * Runs jobs in up to `size` processes, each one job at a time; queries overtake passages. Several owners take turns, by
 * the length of their texts. Processes are started on demand; those that work go on if another cannot load the model,
 * as when memory is short. If one dies, each of its jobs is run again alone in a process, so that a text that crashes
 * the runtime takes no other text with it. Processes rather than worker threads, because onnxruntime-node 1.14 corrupts
 * the heap of the whole program when a thread that has loaded it ends and another one starts.
 */
export class ProcessPool {
  readonly #model: Model;
  readonly #size: number;
  readonly #program: URL;
  readonly #processes = new Set<ModelProcess>();
  readonly #urgent = new FairQueue<Task>();
  readonly #passages = new FairQueue<Task>();
  #nextId = 0;
  /** When the last query arrived. */
  #lastQuery = Number.NEGATIVE_INFINITY;
  /** How many processes in a row died before they had loaded the model. */
  #failedStarts = 0;
  /** No process is started beside others before this: one could not load the model, perhaps for lack of memory. */
  #growsAfter = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** `program`: what each process runs. Defaults to embed-process. */
  constructor(model: Model, { size, program = EMBED_PROCESS }: { size: number; program?: URL }) {
    this.#model = model;
    this.#size = size;
    this.#program = program;
  }

  /**
   * Runs one job. Rejects with `ABORTED` if the signal fires before the job is sent to a process, `EMBEDDER_FAILED` if
   * the model cannot be loaded or the text repeatedly kills its process, `ENGINE_CLOSED`.
   */
  run(kind: Job['kind'], text: string, { signal, owner }: EmbedOptions = {}): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const task = { id: this.#nextId++, kind, text, signal, owner, resolve, reject, crashes: 0 };
      this.#queueOf(task).add(owner, task);
      if (kind === 'query') this.#lastQuery = performance.now();
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const processes = [...this.#processes];
    this.#processes.clear();
    this.#rejectAll(closedError(), processes);
    await Promise.all(processes.map((process) => process.end()));
  }

  #dispatch(): void {
    for (;;) {
      const task = (this.#urgent.take() ?? this.#passages.take())?.item;
      if (!task) return;
      if (task.signal?.aborted) {
        task.reject(abortedBy(task.signal));
        continue;
      }
      let process: ModelProcess | undefined;
      try {
        process = this.#processFor(task);
      } catch (cause) {
        // The system allows no more processes. Those that run go on with the tasks.
        this.#putBack(task);
        if (this.#processes.size === 0) this.#giveUp([], cause);
        return;
      }
      if (!process) {
        this.#putBack(task);
        return;
      }
      this.#queueOf(task).charge(task.owner, task.text.length);
      process.send(task);
    }
  }

  #putBack(task: Task): void {
    this.#queueOf(task).putBack(task.owner, task);
  }

  #queueOf({ kind }: Task): FairQueue<Task> {
    return kind === 'passage' ? this.#passages : this.#urgent;
  }

  /** The process to send a task to; undefined if none has room. Starts another one if none is idle and too few load. */
  #processFor(task: Task): ModelProcess | undefined {
    const reserved = task.kind === 'passage' && performance.now() < this.#lastQuery + RESERVED_MS ? 1 : 0;
    const usable = Math.max(1, this.#size - reserved);
    const chosen = this.#leastBusy(task, usable);
    if (chosen?.tasks.size === 0 || this.#processes.size >= usable) return chosen;
    if (performance.now() < this.#growsAfter && this.#processes.size > 0) return chosen;
    // No loaded process is idle here: those without a task are loading the model, one for each task that waits.
    const loading = [...this.#processes].filter(({ tasks }) => tasks.size === 0).length;
    if (loading > this.#urgent.size + this.#passages.size) return chosen;
    this.#start();
    return this.#leastBusy(task, usable);
  }

  /**
   * The least busy of the first processes that takes a task. One that is loading the model takes none if another has
   * loaded it: loading takes seconds on a busy machine, a query some milliseconds.
   */
  #leastBusy(task: Task, usable: number): ModelProcess | undefined {
    const processes = [...this.#processes].slice(0, usable);
    const loaded = processes.filter((process) => process.loaded);
    const ready = (loaded.length > 0 ? loaded : processes).filter((process) => takes(process, task));
    return ready.sort((a, b) => a.tasks.size - b.tasks.size)[0];
  }

  #start(): void {
    const process: ModelProcess = new ModelProcess(this.#model, {
      program: this.#program,
      events: {
        onLoaded: () => {
          this.#failedStarts = 0;
          this.#dispatch();
        },
        onOutcome: (outcome) => this.#finish(process, outcome),
        onUnloadable: (cause) => this.#recover(process, cause, MAXIMUM_FAILED_STARTS),
        onDeath: (cause) => this.#recover(process, cause, 1),
      },
    });
    this.#processes.add(process);
  }

  #finish(process: ModelProcess, outcome: Outcome): void {
    if (!this.#processes.has(process)) return;
    this.#failedStarts = 0;
    process.take(outcome.id)?.resolve(outcome);
    this.#dispatch();
  }

  /**
   * Requeues the tasks of a process that died, or cannot load the model, ahead of the others of their owners.
   * `failedStarts` is what it counts for if it has not loaded the model.
   */
  #recover(process: ModelProcess, cause: unknown, failedStarts: number): void {
    if (!this.#processes.delete(process)) return;
    // After an 'error' event the process may still be running.
    process.kill();
    const { loaded, tasks } = process;
    if (!loaded) {
      this.#growsAfter = performance.now() + GROWTH_PAUSE_MS;
      // Another process may load the model, or has: memory may be too short for two.
      if (this.#processes.size === 0) this.#failedStarts += failedStarts;
    }
    if (this.#failedStarts >= MAXIMUM_FAILED_STARTS) {
      this.#giveUp([process], cause);
      return;
    }
    for (const task of [...tasks.values()].reverse()) {
      // A process that had not loaded the model has not seen the text.
      if (loaded) task.crashes += 1;
      if (task.crashes >= MAXIMUM_CRASHES) task.reject(this.#crashError(task, cause));
      else this.#putBack(task);
    }
    this.#dispatch();
  }

  /** Rejects the tasks that wait, and those of some processes that cannot go on. The next task tries again. */
  #giveUp(processes: readonly ModelProcess[], cause: unknown): void {
    for (const process of processes) this.#processes.delete(process);
    this.#failedStarts = 0;
    const reason = reasonOf(cause);
    const message =
      `The model in ${this.#model.folder} could not be run (${reason}): ` +
      "check its files and the system's limits on processes, or choose another model.";
    this.#rejectAll(new WaymarkError('EMBEDDER_FAILED', message, { cause }), processes);
  }

  #crashError({ text }: Task, cause: unknown): WaymarkError {
    const reason = reasonOf(cause);
    const quoted = JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text);
    const message =
      `The model in ${this.#model.folder} crashed ${MAXIMUM_CRASHES} times on the text ${quoted} (${reason}): ` +
      'remove the text, or choose another model.';
    return new WaymarkError('EMBEDDER_FAILED', message, { cause });
  }

  #rejectAll(error: WaymarkError, processes: readonly ModelProcess[]): void {
    const running = processes.flatMap(({ tasks }) => [...tasks.values()]);
    for (const task of [...running, ...this.#urgent.takeAll(), ...this.#passages.takeAll()]) task.reject(error);
  }
}

/** Whether a process has room for a task. It runs queries before passages, so that passages do not keep one waiting. */
function takes({ tasks, hasSuspect }: ModelProcess, { kind, text, crashes }: Task): boolean {
  if (hasSuspect) return false;
  if (crashes > 0) return tasks.size === 0;
  if (kind === 'passage') return tasks.size < TASKS_AT_ONCE;
  const queries = [...tasks.values()].filter((task) => task.kind !== 'passage');
  const characters = queries.reduce((sum, query) => sum + query.text.length, text.length);
  return queries.length < (characters < SHORT ? SHORT_AT_ONCE : TASKS_AT_ONCE);
}

function closedError(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The embedder is closed: open the engine again.');
}
