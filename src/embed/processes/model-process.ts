import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkProgram, holdCaller, releaseCaller } from '../../domain/forked-program.js';
import type { Model } from '../model/model.js';
import type { Job, Outcome, Start } from './protocol.js';

/** A job, and how to settle the call that waits for it. */
export interface Task extends Job {
  /** Checked before the task is sent to a process; after that, the task is not interrupted. */
  readonly signal: AbortSignal | undefined;
  /** The owner of the text, compared by identity. */
  readonly owner: unknown;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** How many processes died while they had the task. */
  crashes: number;
}

/** What a process reports to its pool. */
export interface ProcessEvents {
  readonly onLoaded: () => void;
  readonly onOutcome: (outcome: Outcome) => void;
  /** The model cannot be loaded; the process exits. */
  readonly onUnloadable: (cause: unknown) => void;
  /** The process died, or could not be started. May be called twice. */
  readonly onDeath: (cause: unknown) => void;
}

/** A process that embeds, and the tasks sent to it. While idle it does not keep the calling process alive. */
export class ModelProcess {
  /** The tasks sent and not yet finished, by id. */
  readonly tasks = new Map<number, Task>();
  readonly #process: ChildProcess;
  #loaded = false;

  constructor(model: Model, { program, events }: { program: URL; events: ProcessEvents }) {
    this.#process = forkProgram(program, { args: [JSON.stringify(model)] });
    releaseCaller(this.#process);
    this.#process.on('message', (message: Outcome | Start) => {
      if ('unloadable' in message) events.onUnloadable(message.unloadable);
      else if ('loaded' in message) {
        this.#loaded = true;
        events.onLoaded();
      } else events.onOutcome(message);
    });
    this.#process.on('error', events.onDeath);
    this.#process.on('exit', (code, signal) =>
      events.onDeath(new Error(`its process ended with ${signal ?? `code ${code}`}`)),
    );
  }

  /** Whether the model has been loaded. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Whether it runs a task that has killed a process before. No other task may run in the same process. */
  get hasSuspect(): boolean {
    return [...this.tasks.values()].some(({ crashes }) => crashes > 0);
  }

  send(task: Task): void {
    this.tasks.set(task.id, task);
    holdCaller(this.#process);
    // A process that failed to start or has just died has no channel; its 'error' or 'exit' event follows.
    if (!this.#process.connected) return;
    this.#process.send({ id: task.id, kind: task.kind, text: task.text } satisfies Job);
  }

  /** Removes a finished task and returns it. */
  take(id: number): Task | undefined {
    const task = this.tasks.get(id);
    this.tasks.delete(id);
    if (this.tasks.size === 0) releaseCaller(this.#process);
    return task;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Kills the process, which holds no state worth saving, and waits for its end. */
  async end(): Promise<void> {
    this.#process.ref();
    if (this.#process.kill('SIGKILL')) await once(this.#process, 'exit');
  }
}
