import { Worker } from 'node:worker_threads';
// The addon must be loaded on the main thread before any worker loads it: otherwise the second worker fails with
// "Module did not self-register".
import 'onnxruntime-node';
import { WaymarkError } from '../errors.js';
import type { Job, Outcome, WorkerModel } from './worker.js';

interface Task extends Job {
  /** Looked at when the job's turn comes: one that runs already is not interrupted. */
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs jobs on up to `size` worker threads, one job each at a time; queries go first. Threads start when needed. */
export class WorkerPool {
  readonly #model: WorkerModel;
  readonly #size: number;
  readonly #busy = new Map<Worker, Task>();
  readonly #idle: Worker[] = [];
  readonly #urgent: Task[] = [];
  readonly #queue: Task[] = [];
  #nextId = 0;
  #closed = false;

  constructor(model: WorkerModel, size: number) {
    this.#model = model;
    this.#size = size;
  }

  run(kind: Job['kind'], text: string, signal?: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      const task = { id: this.#nextId++, kind, text, signal, resolve, reject };
      (kind === 'passage' ? this.#queue : this.#urgent).push(task);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const task of [...this.#urgent.splice(0), ...this.#queue.splice(0), ...this.#busy.values()]) {
      task.reject(closedError());
    }
    this.#busy.clear();
    this.#idle.length = 0;
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    for (;;) {
      const task = this.#urgent[0] ?? this.#queue[0];
      if (!task) return;
      const aborted = task.signal?.aborted === true;
      const worker = aborted ? undefined : (this.#idle.pop() ?? this.#start());
      if (!aborted && !worker) return;
      (this.#urgent[0] ? this.#urgent : this.#queue).shift();
      if (worker) this.#give(worker, task);
      else task.reject(new WaymarkError('ABORTED', 'Stopped before it was done.', { cause: task.signal?.reason }));
    }
  }

  #give(worker: Worker, task: Task): void {
    this.#busy.set(worker, task);
    worker.ref();
    worker.postMessage({ id: task.id, kind: task.kind, text: task.text } satisfies Job);
  }

  #start(): Worker | undefined {
    if (this.#busy.size >= this.#size) return undefined;
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.#model });
    worker.on('message', (outcome: Outcome) => {
      const task = this.#busy.get(worker);
      this.#busy.delete(worker);
      if (this.#closed) return;
      this.#idle.push(worker);
      // An idle thread must not keep the process alive.
      worker.unref();
      task?.resolve(outcome);
      this.#dispatch();
    });
    worker.on('error', (cause) => this.#lose(worker, cause));
    worker.on('exit', (code) => this.#lose(worker, new Error(`the embedding thread ended with code ${code}`)));
    return worker;
  }

  /** A thread that died takes its job with it; the next job starts another. */
  #lose(worker: Worker, cause: unknown): void {
    const task = this.#busy.get(worker);
    this.#busy.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!task) return;
    const { folder } = this.#model;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The model in ${folder} could not be run (${reason}): check its files, or choose another model.`;
    task.reject(new WaymarkError('EMBEDDER_FAILED', message, { cause }));
    // What waits would meet the same end: a thread that never got as far as one answer is not started again.
    for (const waiting of [...this.#urgent.splice(0), ...this.#queue.splice(0)]) {
      waiting.reject(new WaymarkError('EMBEDDER_FAILED', message, { cause }));
    }
  }
}

function closedError(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The embedder is closed: open the engine again.');
}
