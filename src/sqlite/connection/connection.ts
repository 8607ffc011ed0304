import { setImmediate } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { type Abortable, assertNotAborted, UNCHANGED } from '../../domain/abortable.js';
import { checkDamage, type Verdict } from './damage.js';
import { closedIndex, databaseError } from './database-error.js';
import { DatabasePlace, type Place } from './database-place.js';
import { checkpointOnThread, hasLongLog } from './log/checkpoint.js';
import { Statement } from './statement.js';
import { inTurn } from './write-turns.js';

/** The number of changes by this connection, and a number that other connections change when they write. */
const VERSION = `SELECT total_changes(), data_version FROM pragma_data_version`;

/** Milliseconds for which a long write blocks the event loop at a time. */
const PORTION = 10;

/**
 * A connection to a database file. Its failures are `WaymarkError`s. Before it writes it checks that the file and its
 * log are still where they were opened: SQLite would continue to write to files that were deleted, moved or replaced,
 * and those writes would be lost. The check takes four microseconds.
 */
export class Connection {
  /** Absolute path of the database. */
  readonly file: string;
  readonly #database: Sqlite.Database;
  readonly #place: Place;
  readonly #statements = new Map<string, Statement<never, unknown>>();
  readonly #transaction: Sqlite.Transaction<(work: () => unknown) => unknown>;
  readonly #openAnother: () => Sqlite.Database;
  /** The connection of the long write in progress. */
  #longWrite: Connection | undefined;
  /** The last check for damage. */
  #checked: { readonly version: string | undefined; readonly verdict: Verdict } | undefined;
  /** Whether the place was checked when the running transaction began. */
  #isPlaceChecked = false;

  /** `openAnother` opens the same file again; `place` defaults to that of the file. */
  constructor(
    database: Sqlite.Database,
    file: string,
    { openAnother, place = new DatabasePlace(file) }: { openAnother: () => Sqlite.Database; place?: Place | undefined },
  ) {
    this.file = file;
    this.#openAnother = openAnother;
    this.#database = database;
    this.#place = place;
    this.#transaction = database.transaction((work: () => unknown) => work());
  }

  /** Compiles a statement. */
  prepare<Parameters extends unknown[], Row = unknown>(sql: string): Statement<Parameters, Row> {
    return this.attempt(() => new Statement<Parameters, Row>(this, this.#database.prepare<Parameters, Row>(sql)));
  }

  /** Compiles a statement once, because that takes as long as running it. For a bounded number of SQL texts only. */
  cached<Parameters extends unknown[], Row = unknown>(sql: string): Statement<Parameters, Row> {
    const known = this.#statements.get(sql) as Statement<Parameters, Row> | undefined;
    if (known) return known;
    const statement = this.prepare<Parameters, Row>(sql);
    this.#statements.set(sql, statement as Statement<never, unknown>);
    return statement;
  }

  /** Runs work on one snapshot of the database. May be nested. */
  read<T>(work: () => T): T {
    return this.attempt(() => this.#transaction.deferred(work) as T);
  }

  /**
   * Runs work in a write transaction, after the writes to the file that this process began before; immediately if there
   * are none. Waits while another process writes. All writes use this method or `writeInPortions`, and none is nested
   * in another. Throws `BUSY`, and `ABORTED` if the signal has fired before its turn.
   */
  async write<T>(work: () => T, { signal }: Abortable = {}): Promise<T> {
    return this.#inTurn(() => {
      assertNotAborted(signal, UNCHANGED);
      this.#assertInPlace();
      this.#isPlaceChecked = true;
      try {
        return this.attempt(() => this.#transaction.immediate(work) as T);
      } finally {
        this.#isPlaceChecked = false;
      }
    });
  }

  /**
   * Runs a long write like `write`, in one transaction on a connection of its own: wherever `work` yields, other work
   * of the process may run. Until the commit, this connection reads the state before the write. Throws `BUSY`,
   * `ABORTED`.
   */
  async writeInPortions<T>(
    work: (connection: Connection) => Generator<void, T>,
    { signal }: Abortable = {},
  ): Promise<T> {
    return this.#inTurn(async () => {
      assertNotAborted(signal, UNCHANGED);
      const another = this.#openedAgain();
      this.#longWrite = another;
      try {
        // Another file may have replaced the database just before it was opened again.
        this.#assertInPlace();
        const result = await another.#runInPortions(() => work(another), { signal });
        await setImmediate();
        await another.#checkpoint();
        return result;
      } finally {
        this.#longWrite = undefined;
        another.close();
      }
    });
  }

  /** Runs SQL that returns nothing. */
  exec(sql: string): void {
    this.attempt(() => this.#database.exec(sql));
  }

  /** Runs a pragma and returns the first value of its result. */
  pragma(source: string): unknown {
    return this.attempt(() => this.#database.pragma(source, { simple: true }));
  }

  /** All rows of a pragma. */
  pragmaRows<Row>(source: string): Row[] {
    return this.attempt(() => this.#database.pragma(source) as Row[]);
  }

  /** Whether the database has a table of that name, damaged or not. */
  hasTable(name: string): boolean {
    return this.prepare<[string]>(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(name) !== undefined;
  }

  /** Runs work that may write to tables that SQLite protects, such as those behind a virtual table. */
  unsafely<T>(work: () => T): T {
    this.#database.unsafeMode(true);
    try {
      return work();
    } finally {
      this.#database.unsafeMode(false);
    }
  }

  /**
   * Identifies the present contents of the database: it differs after every change, by this connection or another. What
   * was read may be cached for as long as it stays the same. Takes 10 microseconds.
   */
  version(): string {
    return this.cached<[], [number, number]>(VERSION).raw().get()?.join(' ') ?? '';
  }

  /** Throws `DATABASE_MOVED` if another file has replaced the database or its log: reads would be out of date. */
  assertNotReplaced(): void {
    this.#place.assertNotReplaced();
  }

  /**
   * Called before a statement writes.
   * @internal
   */
  beforeWrite(): void {
    if (!this.#isPlaceChecked) this.#assertInPlace();
  }

  /**
   * Runs a call into SQLite and translates its failure.
   * @internal
   */
  attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw this.failure(error);
    }
  }

  /**
   * The error to throw for a failure of SQLite.
   * @internal
   */
  failure(error: unknown): unknown {
    if (this.#database.open) return databaseError(error, this.file, () => this.#checkDamage());
    return closedIndex(error);
  }

  /** Checks once for each state of the database: a check reads all of it. */
  #checkDamage(): Verdict {
    const version = this.#versionIfReadable();
    if (version !== undefined && version === this.#checked?.version) return this.#checked.verdict;
    const verdict = checkDamage(this.#database);
    this.#checked = verdict === 'damaged' || verdict === 'sound' ? { version, verdict } : undefined;
    return verdict;
  }

  /**
   * Like `version`, but undefined if that cannot be read: an error of `version` would start another check for damage.
   */
  #versionIfReadable(): string | undefined {
    try {
      return String(this.#database.prepare(VERSION).raw().get());
    } catch {
      return undefined;
    }
  }

  /** Closes the connection. A long write in progress fails and changes nothing. */
  close(): void {
    this.#longWrite?.close();
    this.#database.close();
  }

  #inTurn<T>(write: () => T): Promise<Awaited<T>> {
    return inTurn(this.#place.id, write);
  }

  #openedAgain(): Connection {
    this.#assertInPlace();
    return this.attempt(() => new Connection(this.#openAnother(), this.file, { openAnother: this.#openAnother }));
  }

  /**
   * Throws `ENGINE_CLOSED` or `DATABASE_MOVED`. The former is checked first: closing the database deletes its log,
   * which would look like a moved database.
   */
  #assertInPlace(): void {
    if (!this.#database.open) throw this.failure(undefined);
    this.#place.assertThere();
  }

  /** Moves the log into the database, a long one on a thread. If that fails, a later commit does it. */
  async #checkpoint(): Promise<void> {
    try {
      if (hasLongLog(this.file)) await checkpointOnThread(this.file);
      else this.#database.pragma('wal_checkpoint(PASSIVE)');
    } catch {}
  }

  /** Commits, or throws; closing the connection then rolls back. */
  async #runInPortions<T>(work: () => Generator<void, T>, { signal }: Abortable): Promise<T> {
    this.#isPlaceChecked = true;
    this.exec('BEGIN IMMEDIATE');
    const portions = work();
    for (;;) {
      const end = performance.now() + PORTION;
      let step: IteratorResult<void, T>;
      do step = portions.next();
      while (!step.done && performance.now() < end);
      await setImmediate();
      assertNotAborted(signal, UNCHANGED);
      if (!step.done) continue;
      this.#assertInPlace();
      this.exec('COMMIT');
      return step.value;
    }
  }
}
