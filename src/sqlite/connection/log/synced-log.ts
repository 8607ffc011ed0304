import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { reasonOf, WaymarkError } from '../../../domain/errors.js';
import { RequestBatcher } from '../../../domain/scheduling/request-batcher.js';
import { closedIndex, databaseError } from '../database-error.js';

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
 *
 * After a sync that failed, all others fail. The system may have dropped what it could not write, and the next sync
 * would succeed without it.
 */
export class SyncedLog {
  readonly #database: string;
  /** Undefined for a database without a log, whose commits are all in its file, and for one that cannot be written. */
  readonly #log: number | undefined;
  /** One sync runs at a time; calls that come meanwhile share the next one. */
  readonly #syncs = new RequestBatcher<number, undefined>(
    async (logs) => {
      if (this.#failure !== undefined) throw unsynced(this.#failure, this.#database);
      try {
        await datasync(logs[0] as number);
      } catch (error) {
        this.#failure = error;
        throw databaseError(error, this.#database);
      }
      return logs.map(() => undefined);
    },
    { items: Number.POSITIVE_INFINITY, running: 1 },
  );
  /** Why a sync failed. */
  #failure: unknown;
  /** Calls in progress. */
  #running = 0;
  #isClosed = false;

  /** Call it after the first read of the database: SQLite creates the log then. */
  constructor(database: string) {
    this.#database = database;
    this.#log = openLog(database);
  }

  /** Syncs all commits to disk, without blocking the event loop. Throws `ENGINE_CLOSED`, and errors of the disk. */
  async sync(): Promise<void> {
    if (this.#isClosed) throw closedIndex();
    if (this.#log === undefined) return;
    this.#running += 1;
    try {
      await this.#syncs.submit(this.#log);
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

/** The error of a sync after one that failed. */
function unsynced(failure: unknown, database: string): unknown {
  const error = databaseError(failure, database);
  if (!(error instanceof WaymarkError)) return error;
  const message =
    `${database} could not be synced to disk (${reasonOf(failure)}), so its last changes may be lost: ` +
    'check the disk, then open the index again.';
  return new WaymarkError(error.code, message, { cause: failure });
}

function openLog(database: string): number | undefined {
  try {
    return openSync(`${database}-wal`, 'r+');
  } catch (error) {
    if (UNWRITABLE.test(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw databaseError(error, database);
  }
}
