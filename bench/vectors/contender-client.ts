import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import type { Place } from './contenders/contender.js';
import type { Answered, Built, Opened, Reply, Request, Round } from './requests.js';

/** Limit of the JavaScript heap: contenders that keep vectors as numbers need more than Node allows by default. */
const HEAP_MIB = 8192;

/** A contender in a process of its own. Each call throws what the contender threw, or that its process ended. */
export class ContenderClient {
  readonly #name: string;
  readonly #child = startProcess(new URL('./contender-process.ts', import.meta.url), { heapMiB: HEAP_MIB });

  constructor(name: string) {
    this.#name = name;
  }

  build(place: Place): Promise<Built> {
    return this.#ask<Built>({ type: 'build', name: this.#name, place });
  }

  open(place: Place): Promise<Opened> {
    return this.#ask<Opened>({ type: 'open', name: this.#name, place });
  }

  use(setting: number): Promise<void> {
    return this.#ask<void>({ type: 'use', setting });
  }

  round(round: Round): Promise<Answered> {
    return this.#ask<Answered>({ type: 'round', round });
  }

  stop(): Promise<void> {
    return stopProcess(this.#child);
  }

  async #ask<Value>(request: Request): Promise<Value> {
    this.#child.send(request);
    const reply = await replyOf<Reply>(this.#child);
    if ('value' in reply) return reply.value as Value;
    throw new Error(reply.failed);
  }
}
