import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Whom } from './operation.js';

const PROGRAM = fileURLToPath(new URL('./party-program.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What the service says when it listens. */
export interface Ready {
  readonly url: string;
  readonly token: string;
}

interface Message {
  readonly ready?: Ready;
  readonly id?: number;
  readonly answer?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** A process that works on a database; killed ones are followed by another. */
export class Party {
  readonly #whom: Whom;
  readonly #database: string;
  readonly #waiting = new Map<number, Waiting>();
  #child!: ChildProcess;
  #ready!: Promise<Ready>;
  #calls = 0;
  #failure = '';

  constructor(whom: Whom, database: string) {
    this.#whom = whom;
    this.#database = database;
    this.#start();
  }

  get ready(): Promise<Ready> {
    return this.#ready;
  }

  /** What the process wrote on stderr. */
  get failure(): string {
    return this.#failure;
  }

  /** Calls the process; a call that it does not live to answer rejects with `KILLED`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers as they arrive
  async call(name: string, ...given: unknown[]): Promise<any> {
    await this.#ready;
    this.#calls += 1;
    const id = this.#calls;
    const child = this.#child;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      child.send({ id, name, given }, (error) => error && this.#fail(id, 'KILLED', String(error)));
    });
  }

  /** Kills the process and starts another. */
  async kill(): Promise<void> {
    await this.end();
    this.#start();
    await this.#ready;
  }

  /** Stops the process for some turns of the event loop. */
  async pause(turns: number): Promise<void> {
    this.#child.kill('SIGSTOP');
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    this.#child.kill('SIGCONT');
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  #start(): void {
    const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, this.#whom, this.#database], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      this.#failure += part;
    });
    this.#ready = new Promise((resolve, reject) => {
      child.on('message', ({ ready, id = 0, answer, error }: Message) => {
        if (ready) resolve(ready);
        else if (error) this.#fail(id, error.code, error.message);
        else this.#take(id)?.resolve(answer);
      });
      child.on('exit', (code, signal) => {
        reject(new Error(`the ${this.#whom} ended with ${code ?? signal}: ${this.#failure}`));
        const reason = signal === 'SIGKILL' ? 'KILLED' : 'ENDED';
        for (const id of [...this.#waiting.keys()]) this.#fail(id, reason, `${reason} ${code} ${this.#failure}`);
      });
    });
    // A process that is killed before it is ready is followed by another.
    this.#ready.catch(() => {});
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(id: number, code: string | undefined, message: string): void {
    this.#take(id)?.reject(Object.assign(new Error(message), { code }));
  }
}
