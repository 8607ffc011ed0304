/** Milliseconds between two readings of the time that a process has used. */
export const TICK = 100;

/** Milliseconds for which a process may use no processor time at all while it works. */
const STALLED = 60_000;

/**
 * The processor time that a job may take its process. A pause of the machine, or other work on it, costs a job nothing:
 * where the system does not say what a process has used, each tick counts as one, however late it comes.
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
   * To be called every `TICK` milliseconds with those that the process has used since it started; undefined if that is
   * not known. Returns why the job must end: it has used its time, or nothing for a minute.
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
