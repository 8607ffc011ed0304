import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { databaseError } from '../database-error.js';

const datasync = promisify(fdatasync);

/** How a log may be that cannot be opened for writing: then SQLite cannot write it either. */
const UNWRITABLE = /^(ENOENT|EACCES|EPERM|EROFS)$/;

/**
 * The log of an open database, to be synced to disk. With `synchronous = NORMAL`, SQLite syncs it only before it moves
 * pages into the database: a power failure leaves it consistent, but the last commits may be lost. So the log is synced
 * once before a change is acknowledged; a sync at every commit (`FULL`) would slow down every write.
 *
 * It is held open: a call that could not open it after its commit would be refused although it has changed something.
 */
export class SyncedLog {
  readonly #database: string;
  /** Undefined for a database that keeps no log, so that all commits are in its file, or that cannot be written. */
  readonly #log: number | undefined;
  /** Syncs in progress. */
  #running = 0;
  #isClosed = false;

  /** For a database that has been read: SQLite creates its log before. */
  constructor(database: string) {
    this.#database = database;
    this.#log = openLog(database);
  }

  /** Syncs all commits to disk, without blocking the event loop. */
  async sync(): Promise<void> {
    if (this.#log === undefined || this.#isClosed) return;
    this.#running += 1;
    try {
      await datasync(this.#log);
    } catch (error) {
      throw databaseError(error, this.#database);
    } finally {
      this.#running -= 1;
      if (this.#isClosed) this.#close();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#close();
  }

  /** Not while it is synced: another file may get its number. */
  #close(): void {
    if (this.#log !== undefined && this.#running === 0) closeSync(this.#log);
  }
}

function openLog(database: string): number | undefined {
  try {
    return openSync(`${database}-wal`, 'r+');
  } catch (error) {
    if (UNWRITABLE.test(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw databaseError(error, database);
  }
}
