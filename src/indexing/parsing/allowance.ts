/** Milliseconds between two readings of the processor time that a process has used. */
export const TICK = 100;

/** Milliseconds for which a process may use no processor time at all while it works on a job. */
const STALLED = 60_000;

/**
 * The processor time that a job may use. Pauses of the machine and other work on it do not count: where the system does
 * not report the processor time of a process, each tick counts as `TICK` milliseconds, however late it comes.
 */
export class Allowance {
  readonly #milliseconds: number;
  #last: number | undefined;
  #used = 0;
  #idle = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /**
   * Call it every `TICK` milliseconds. `used` is the processor time of the process since its start, in milliseconds;
   * undefined if it is not known. Returns why the job must end: it has used its time, or none for a minute.
   */
  tick(used: number | undefined): 'time' | 'stalled' | undefined {
    const spent = used === undefined ? TICK : used - (this.#last ?? used);
    this.#last = used;
    this.#used += spent;
    this.#idle = spent > 0 ? 0 : this.#idle + TICK;
    if (this.#used >= this.#milliseconds) return 'time';
    return this.#idle >= STALLED ? 'stalled' : undefined;
  }
}
