import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../usage-error.js';
import type { Answered, Built, Opened, Reply, Request, Round } from './requests.js';
import type { Place } from './sides/side.js';

/** Heap that objects in JavaScript may take, in MiB: vectors as numbers need more than Node allows by itself. */
const HEAP = 8192;

/** A side in a process of its own. Each call throws `UsageError` with what the side says, or that its process ended. */
export class SideProcess {
  readonly #name: string;
  readonly #child: ChildProcess;

  constructor(name: string) {
    this.#name = name;
    this.#child = fork(fileURLToPath(new URL('./side-process.ts', import.meta.url)), {
      // This process's own arguments have what runs TypeScript.
      execArgv: [...process.execArgv, '--expose-gc', `--max-old-space-size=${HEAP}`],
      serialization: 'advanced',
      stdio: ['ignore', 2, 2, 'ipc'],
    });
  }

  build(place: Place): Promise<Built> {
    return this.#ask<Built>({ ask: 'build', name: this.#name, place });
  }

  open(place: Place): Promise<Opened> {
    return this.#ask<Opened>({ ask: 'open', name: this.#name, place });
  }

  use(setting: number): Promise<void> {
    return this.#ask<void>({ ask: 'use', setting });
  }

  round(round: Round): Promise<Answered> {
    return this.#ask<Answered>({ ask: 'round', round });
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    // Nothing of it is wanted any more, and native code may be slow to end.
    this.#child.kill('SIGKILL');
    await exited;
  }

  async #ask<Value>(request: Request): Promise<Value> {
    const stopped = new AbortController();
    const { signal } = stopped;
    try {
      const ended = once(this.#child, 'exit', { signal }).then(([code, by]) => {
        throw new UsageError(`its process ended (${by ?? `code ${code}`})`);
      });
      const replied = once(this.#child, 'message', { signal }).then(([reply]: Reply[]) => reply);
      // The one that loses is aborted below.
      for (const waiting of [ended, replied]) waiting.catch(() => undefined);
      this.#child.send(request);
      const reply = await Promise.race([replied, ended]);
      if (reply && 'value' in reply) return reply.value as Value;
      throw new UsageError(reply?.failed ?? 'it said nothing');
    } finally {
      stopped.abort();
    }
  }
}
