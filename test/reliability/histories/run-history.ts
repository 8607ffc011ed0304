import { setImmediate } from 'node:timers/promises';
import type { InProcessWorld } from './in-process-world.js';
import { damage, differences } from './look.js';
import type { Operation, Step } from './operation.js';
import { type Attempt, type Clock, Oracle } from './oracle.js';
import { perform } from './perform.js';
import type { World } from './world.js';

/** Milliseconds after which an operation counts as hung: on a busy machine, a process may take a minute to start. */
const HANG = 300_000;

/** Performs a history; its promise is rejected at the first answer or state that the oracle cannot explain. */
export class History {
  readonly #world: World;
  readonly #oracle = new Oracle();
  #version = 0;
  #latest: number;

  constructor(world: World) {
    this.#world = world;
    this.#latest = world.now();
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const [i, step] of steps.entries()) {
      const attempts = await Promise.all(
        step.map(async ({ operation, after }) => {
          for (let turn = 0; turn < after; turn += 1) await setImmediate();
          return this.#perform(operation);
        }),
      );
      const unexplained = this.#oracle.take(attempts, this.#clock());
      if (unexplained.length === 0) continue;
      throw new Error(`step ${i + 1}: no order explains these outcomes at ${unexplained}: ${JSON.stringify(attempts)}`);
    }
  }

  /** Compares the world with the oracle, once more after a restart, and examines the closed database. */
  async end(world: InProcessWorld): Promise<void> {
    world.fill(false);
    for (const when of ['at the end', 'after a restart']) {
      await within(HANG, world.drain(), 'draining');
      const found = await differences(world, this.#oracle, this.#clock());
      if (found.length > 0) throw new Error(`${when}: ${found.join('\n')}`);
      await within(HANG, world.restart(), 'restarting');
    }
    await within(HANG, world.close(), 'closing');
    const found = await damage(world);
    if (found.length > 0) throw new Error(`the database is not sound: ${found.join('\n')}`);
  }

  #perform(operation: Operation): Promise<Attempt> {
    this.#version += 1;
    return within(HANG, perform(operation, this.#world, this.#version), operation.kind);
  }

  #clock(): Clock {
    const now = this.#world.now();
    this.#latest = Math.max(this.#latest, now);
    return { now, latest: this.#latest };
  }
}

/** Rejects when a call hangs. */
async function within<T>(milliseconds: number, call: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), milliseconds);
  });
  try {
    return await Promise.race([call, hung]);
  } finally {
    clearTimeout(timer);
  }
}
