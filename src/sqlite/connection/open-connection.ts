import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import { WaymarkError } from '../../domain/errors.js';
import { MIGRATIONS } from '../schema/migrations.js';
import { Connection } from './connection.js';
import { checkDamage } from './damage.js';
import { databaseError, readOnlyFolder } from './database-error.js';
import { databaseFile } from './database-file.js';
import { SHORT_LOG } from './log/checkpoint.js';
import { readIntoMemory } from './read-only-folder.js';
import { isSqliteError, openSqlite } from './sqlite.js';

/** "Wymk": distinguishes a Waymark database from other SQLite files. */
const APPLICATION_ID = 0x57796d6b;

/** Milliseconds. The longest write, of a very large file, takes some seconds. */
const BUSY_TIMEOUT = 10_000;

/** How a database file is opened. */
export interface OpenOptions {
  /** Whether to create a missing database. */
  readonly create: boolean;
  /** Milliseconds for which a write waits while another process writes. Defaults to 10,000. */
  readonly busyTimeout?: number | undefined;
}

/**
 * Opens a database and brings its schema up to date. Throws `INVALID_ARGUMENT` for a folder, `INDEX_MISSING`,
 * `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`, `BUSY`.
 */
export function openConnection(given: string, { create, busyTimeout = BUSY_TIMEOUT }: OpenOptions): Connection {
  const { file, exists } = databaseFile(given);
  if (!create && !exists) throw missing(file);
  return open(file, { busyTimeout, create, prepare: (database) => migrate(database, { file, create }) });
}

/**
 * Opens a database as it is, to be examined. Throws `INVALID_ARGUMENT` for a folder, `INDEX_MISSING`,
 * `DATABASE_DAMAGED`, `DATABASE_UNWRITABLE`.
 */
export function openUnmigrated(given: string): Connection {
  const { file, exists } = databaseFile(given);
  if (!exists) throw missing(file);
  return open(file, {
    busyTimeout: BUSY_TIMEOUT,
    create: false,
    prepare(database) {
      const { isNew, isForeign } = inspect(database);
      if (isNew) throw missing(file);
      if (isForeign) throw foreign(file);
      database.pragma('foreign_keys = ON');
    },
  });
}

function open(
  file: string,
  { busyTimeout, create, prepare }: Required<OpenOptions> & { prepare: (database: Sqlite.Database) => void },
): Connection {
  let database: Sqlite.Database | undefined;
  let connection: Connection | undefined;
  try {
    if (create) makeFolder(path.dirname(file));
    const inMemory = readIntoMemory(file);
    database = inMemory ? openSqlite(inMemory.bytes, { readonly: true }) : openSqlite(file, { timeout: busyTimeout });
    prepare(database);
    const place = inMemory?.place;
    connection = new Connection(database, file, {
      place,
      openAnother() {
        if (place) throw readOnlyFolder(file);
        return openAnother(file, busyTimeout);
      },
    });
    return connection;
  } catch (error) {
    throw databaseError(error, file, () => (database ? checkDamage(database) : 'unchecked'));
  } finally {
    if (!connection) database?.close();
  }
}

/** Opens a database that is open already. A commit does not move its log into the database: that takes a while. */
function openAnother(file: string, busyTimeout = BUSY_TIMEOUT): Sqlite.Database {
  const database = openSqlite(file, { timeout: busyTimeout, fileMustExist: true });
  configure(database);
  database.pragma('wal_autocheckpoint = 0');
  return database;
}

function configure(database: Sqlite.Database): void {
  // A power failure may lose the last commits. Acknowledged changes are safe: log/synced-log.ts syncs them first.
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  database.pragma(`journal_size_limit = ${SHORT_LOG}`);
}

function migrate(database: Sqlite.Database, { file, create }: { file: string; create: boolean }): void {
  const { version, isNew, isForeign } = inspect(database);
  if (isNew && !create) throw missing(file);
  if (isForeign) throw foreign(file);
  if (version > MIGRATIONS.length) throw tooNew(file, version);
  if (isNew) {
    // Both take effect on an empty file only.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
  }
  configure(database);
  if (version === MIGRATIONS.length) return;
  const run = database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const current = database.pragma('user_version', { simple: true }) as number;
    for (const step of MIGRATIONS.slice(current)) database.exec(step);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  try {
    run.immediate();
  } catch (error) {
    throw isNew ? error : notMigrated(error, file);
  }
}

/** The kind of a database file: new if it is empty, such as one of 0 bytes; foreign if another program made it. */
function inspect(database: Sqlite.Database): { version: number; isNew: boolean; isForeign: boolean } {
  // In one transaction: another process may be creating the database at this moment.
  const read = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true }) as number;
    const application = database.pragma('application_id', { simple: true });
    const hasTables = database.prepare(`SELECT count(*) FROM sqlite_schema`).pluck().get() !== 0;
    const isNew = !hasTables && application === 0 && version === 0;
    return { version, isNew, isForeign: !isNew && (!hasTables || application !== APPLICATION_ID || version < 0) };
  });
  return read();
}

/** The error for a database of a later version. */
export function tooNew(file: string, version: number): WaymarkError {
  const versions = `schema ${version}, this version knows ${MIGRATIONS.length}`;
  return new WaymarkError('DATABASE_TOO_NEW', `${file} was made by a newer Waymark (${versions}): update Waymark.`);
}

/** The error for a database of an earlier version that cannot be written; other errors are returned as they are. */
function notMigrated(error: unknown, file: string): unknown {
  if (!isSqliteError(error) || !error.code.startsWith('SQLITE_READONLY')) return error;
  const message =
    `${file} was written by an earlier Waymark and must be updated once, but it is read-only: make it and its ` +
    'folder writable, open it, then restore the permissions.';
  return new WaymarkError('DATABASE_UNWRITABLE', message, { cause: error });
}

function foreign(file: string): WaymarkError {
  const message = `${file} is not a Waymark database: choose another file with --database.`;
  return new WaymarkError('DATABASE_DAMAGED', message);
}

function missing(file: string): WaymarkError {
  return new WaymarkError('INDEX_MISSING', `No index at ${file}. Create one with: waymark index <folder>`);
}

/** Not `recursive`, which never returns if the parent, such as /proc, accepts no folders. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
