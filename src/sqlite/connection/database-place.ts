import { statSync } from 'node:fs';
import { WaymarkError } from '../../domain/errors.js';

/** Where a database file was when it was opened. */
export class DatabasePlace {
  /** Identifies the file, by whatever path it was opened. */
  readonly id: string;
  readonly #file: string;
  readonly #device: bigint;
  readonly #inode: bigint;

  constructor(file: string) {
    const { dev, ino } = statSync(file, { bigint: true });
    this.#file = file;
    this.#device = dev;
    this.#inode = ino;
    this.id = `${dev}:${ino}`;
  }

  /** Throws `DATABASE_MOVED` if another file has taken its place. */
  assertNotReplaced(): void {
    if (this.#state() === 'replaced') throw this.#replaced();
  }

  /** Throws `DATABASE_MOVED` if the file was replaced or is gone: writes would be lost. */
  assertThere(): void {
    const state = this.#state();
    if (state === 'replaced') throw this.#replaced();
    if (state === 'gone') throw this.#gone();
  }

  #state(): 'there' | 'gone' | 'replaced' | 'unknown' {
    try {
      const found = statSync(this.#file, { bigint: true, throwIfNoEntry: false });
      if (!found) return 'gone';
      return found.dev === this.#device && found.ino === this.#inode ? 'there' : 'replaced';
    } catch {
      // The folder can no longer be searched. SQLite decides whether the open file can still be used.
      return 'unknown';
    }
  }

  #replaced(): WaymarkError {
    const message = `Another file has replaced ${this.#file} since it was opened: close the index and open it again.`;
    return new WaymarkError('DATABASE_MOVED', message);
  }

  #gone(): WaymarkError {
    const message =
      `${this.#file} was deleted or moved since it was opened, so nothing can be written: ` +
      'put it back, or close the index, open it again and index again.';
    return new WaymarkError('DATABASE_MOVED', message);
  }
}
