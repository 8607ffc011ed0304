import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { WaymarkError } from '../../domain/errors.js';
import { createPostings } from '../postings/posting-table.js';
import { guard } from './guard.js';
import { MIGRATIONS } from './migrations.js';

export type Database = Sqlite.Database;
export type Transaction<Work extends (...given: never[]) => unknown> = Sqlite.Transaction<Work>;
export type Statement<Parameters extends unknown[], Row = unknown> = Sqlite.Statement<Parameters, Row>;

/** "Wymk": tells a Waymark database from any other SQLite file. */
const APPLICATION_ID = 0x57796d6b;

/** Milliseconds. The longest write, of a very large file, takes about a second. */
const BUSY_TIMEOUT = 10_000;

/**
 * Opens a database file, made if `create` says so, and brings its schema up to date. While another process writes, a
 * write waits for so many milliseconds. Throws `INDEX_MISSING`, `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`,
 * `DATABASE_UNWRITABLE`, `BUSY`.
 */
export function openDatabase(
  file: string,
  { create, busyTimeout = BUSY_TIMEOUT }: { create: boolean; busyTimeout?: number | undefined },
): Database {
  const absolute = path.resolve(file);
  if (!create && !existsSync(absolute)) throw missing(absolute);
  let database: Database | undefined;
  try {
    if (create) makeFolder(path.dirname(absolute));
    database = new Sqlite(absolute, { timeout: busyTimeout });
    prepare(database, { file: absolute, create });
    guard(database, absolute, (error) => sqliteError(error, absolute));
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, absolute);
  }
}

/** Opens a database file as it is, to be examined. Throws `INDEX_MISSING`, `DATABASE_DAMAGED`, `DATABASE_UNWRITABLE`. */
export function openAsIs(file: string): Database {
  const absolute = path.resolve(file);
  if (!existsSync(absolute)) throw missing(absolute);
  let database: Database | undefined;
  try {
    database = new Sqlite(absolute, { timeout: BUSY_TIMEOUT });
    const application = database.pragma('application_id', { simple: true });
    if (application !== APPLICATION_ID) throw foreign(absolute);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, absolute);
  }
}

/** Tables and indexes, with their SQL, as a database of a version has them that has certain postings. */
export function schemaOf(version: number, postings: readonly string[]): Map<string, string | null> {
  const database = new Sqlite(':memory:');
  try {
    for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
    for (const name of postings) database.exec(createPostings(name));
    const objects = database.prepare<[], { name: string; sql: string | null }>(`SELECT name, sql FROM sqlite_schema`);
    return new Map(objects.all().map(({ name, sql }) => [name, sql]));
  } finally {
    database.close();
  }
}

/** Why SQLite cannot be used at all here; undefined where it can. */
export function sqliteUnavailable(): Error | undefined {
  try {
    new Sqlite(':memory:').close();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function foreign(file: string): WaymarkError {
  return new WaymarkError(
    'DATABASE_DAMAGED',
    `${file} is not a Waymark database: choose another file with --database.`,
  );
}

function missing(file: string): WaymarkError {
  return new WaymarkError('INDEX_MISSING', `No index at ${file}. Create one with: waymark index <folder>`);
}

function prepare(database: Database, { file, create }: { file: string; create: boolean }): void {
  // In one transaction: another process may be making the database just now.
  const look = database.transaction(() => ({
    version: database.pragma('user_version', { simple: true }) as number,
    application: database.pragma('application_id', { simple: true }),
    empty: database.prepare(`SELECT count(*) FROM sqlite_schema`).pluck().get() === 0,
  }));
  const { version, application, empty } = look();
  if (empty && !create) throw missing(file);
  if (!empty && application !== APPLICATION_ID) {
    throw foreign(file);
  }
  if (version > MIGRATIONS.length) {
    throw new WaymarkError(
      'DATABASE_TOO_NEW',
      `${file} was made by a newer Waymark (schema ${version}, this one knows ${MIGRATIONS.length}): update Waymark.`,
    );
  }
  if (empty) {
    // Both work on an empty file only.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
  }
  // Whatever a power failure leaves is a prefix of the commits; what is acknowledged is synced before: sync-log.ts.
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  if (version === MIGRATIONS.length) return;
  const migrate = database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const current = database.pragma('user_version', { simple: true }) as number;
    for (const step of MIGRATIONS.slice(current)) database.exec(step);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  migrate.immediate();
}

/** Not `recursive`: that never returns where a folder such as /proc takes no folders. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** SQLite's failures in words that say what to do. */
export function databaseError(error: unknown, file: string): unknown {
  if (error instanceof WaymarkError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Our own SQL is right: what SQLite cannot make of it lies in the schema or the rows that it meets.
  if (/^SQLITE_(CORRUPT|NOTADB|ERROR|MISMATCH|CONSTRAINT|TOOBIG|NOMEM)/.test(code)) {
    return new WaymarkError(
      'DATABASE_DAMAGED',
      `${file} is damaged or no database (${error.message}): ask waymark doctor, or delete it and index again.`,
      { cause: error },
    );
  }
  if (isBusy(error)) {
    const message = `Another process has been writing to ${file} for too long: try again once it is done.`;
    return new WaymarkError('BUSY', message, { cause: error });
  }
  if (code === 'SQLITE_READONLY_DIRECTORY') {
    return new WaymarkError(
      'DATABASE_UNWRITABLE',
      `${file} lies in a folder where no file can be made, and SQLite needs two beside it even for searching: change the folder's permissions, or copy the database to another.`,
      { cause: error },
    );
  }
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR)|E[A-Z]+$)/.test(code)) {
    return new WaymarkError(
      'DATABASE_UNWRITABLE',
      `${file} cannot be opened or written (${error.message}): check its folder, its permissions and those of the -wal and -shm beside it, and the free space.`,
      { cause: error },
    );
  }
  return error;
}

/** Whether another process was writing for longer than a write waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(SQLITE_)?BUSY/.test(String(error.code));
}

/** SQLite's own failures in words; others, such as those of reading a folder, as they are. */
export function sqliteError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_') ? databaseError(error, file) : error;
}
