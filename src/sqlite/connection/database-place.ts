import { statSync } from 'node:fs';
import { WaymarkError } from '../../domain/errors.js';

/** Where an open database is. */
export interface Place {
  /** Identifies the database. */
  readonly id: string;
  /** Throws `DATABASE_MOVED` if it can no longer be read from here. */
  assertNotReplaced(): void;
  /** Throws `DATABASE_MOVED` if what is written here would be lost. */
  assertThere(): void;
}

/**
 * The identities of a database file and its log when the database was opened. SQLite creates the log before the first
 * read, and removes it when the last connection of all processes is closed: while one is open, the log stays the same
 * file.
 */
export class DatabasePlace implements Place {
  readonly id: string;
  /** The identity of each file, by its path. */
  readonly #files: ReadonlyMap<string, string>;

  /** Call it after the first read of the database, which creates the log. */
  constructor(file: string) {
    const log = `${file}-wal`;
    // A database that another program made may have no log.
    const logId = idOf(log);
    this.id = idOf(file) ?? '';
    this.#files = new Map([[file, this.id], ...(logId === undefined ? [] : [[log, logId] as const])]);
  }

  /** Throws `DATABASE_MOVED` if another file has taken the place of either. */
  assertNotReplaced(): void {
    for (const [file, id] of this.#files) if (stateOf(file, id) === 'replaced') throw replaced(file);
  }

  /** Throws `DATABASE_MOVED` if either was replaced or is gone: writes would be lost. */
  assertThere(): void {
    for (const [file, id] of this.#files) {
      const state = stateOf(file, id);
      if (state === 'replaced') throw replaced(file);
      if (state === 'gone') throw gone(file);
    }
  }
}

function stateOf(file: string, id: string): 'there' | 'gone' | 'replaced' | 'unknown' {
  try {
    const found = idOf(file);
    if (found === undefined) return 'gone';
    return found === id ? 'there' : 'replaced';
  } catch {
    // The folder can no longer be searched. SQLite decides whether the open file can still be used.
    return 'unknown';
  }
}

/** Identifies a file, by whatever path it was opened; undefined if there is none. */
function idOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function replaced(file: string): WaymarkError {
  const message = `Another file has replaced ${file} since it was opened: close the index and open it again.`;
  return new WaymarkError('DATABASE_MOVED', message);
}

function gone(file: string): WaymarkError {
  const message =
    `${file} was deleted or moved since it was opened, so nothing can be written: ` +
    'put it back, or close the index, open it again and index again.';
  return new WaymarkError('DATABASE_MOVED', message);
}
