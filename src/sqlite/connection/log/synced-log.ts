import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { databaseError } from '../database-error.js';

const datasync = promisify(fdatasync);

/** Errors of opening a log for writing that mean that SQLite cannot write it either. */
const UNWRITABLE = /^(ENOENT|EACCES|EPERM|EROFS)$/;

/**
 * The log of an open database, to be synced to disk. With `synchronous = NORMAL`, SQLite syncs it only before it moves
 * pages into the database: a power failure leaves it consistent, but the last commits may be lost. So the log is synced
 * once before a change is acknowledged; a sync at every commit (`FULL`) would slow down every write.
 *
 * The file is kept open: if it were opened after a commit and that failed, a call would throw although it has changed
 * something.
 */
export class SyncedLog {
  readonly #database: string;
  /** Undefined for a database without a log, whose commits are all in its file, and for one that cannot be written. */
  readonly #log: number | undefined;
  /** Syncs that have not ended. */
  #running = 0;
  #last: Promise<void> = Promise.resolve();
  /** The sync after the last one; all calls until it begins share it. */
  #next: Promise<void> | undefined;
  #isClosed = false;

  /** Call it after the first read of the database: SQLite creates the log then. */
  constructor(database: string) {
    this.#database = database;
    this.#log = openLog(database);
  }

  /**
   * Syncs all commits to disk, without blocking the event loop. One sync runs at a time: many calls at once would
   * otherwise wait for as many syncs.
   */
  async sync(): Promise<void> {
    const log = this.#log;
    if (log === undefined || this.#isClosed) return;
    this.#next ??= this.#afterLast(log);
    await this.#next;
  }

  async #afterLast(log: number): Promise<void> {
    this.#running += 1;
    try {
      await this.#last.catch(() => {});
      this.#next = undefined;
      this.#last = datasync(log);
      await this.#last;
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

  /** Not during a sync: another file could get the same file descriptor. */
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
