import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { WaymarkError } from '../errors.js';
import { MIGRATIONS } from './migrations.js';

export type Database = Sqlite.Database;

/** "Wymk": tells a Waymark database from any other SQLite file. */
const APPLICATION_ID = 0x57796d6b;

/**
 * Opens a database file, made if `create` says so, and brings its schema up to date. Throws `INDEX_MISSING`,
 * `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`.
 */
export function openDatabase(file: string, { create }: { create: boolean }): Database {
  const absolute = path.resolve(file);
  if (!create && !existsSync(absolute)) {
    throw new WaymarkError('INDEX_MISSING', `No index at ${absolute}. Create one with: waymark index <folder>`);
  }
  let database: Database | undefined;
  try {
    if (create) makeFolder(path.dirname(absolute));
    database = new Sqlite(absolute, { timeout: 10_000 });
    prepare(database, absolute);
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, absolute);
  }
}

function prepare(database: Database, file: string): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  const application = database.pragma('application_id', { simple: true });
  const empty = database.prepare(`SELECT count(*) FROM sqlite_schema`).pluck().get() === 0;
  if (!empty && application !== APPLICATION_ID) {
    throw new WaymarkError(
      'DATABASE_DAMAGED',
      `${file} is not a Waymark database: choose another file with --database.`,
    );
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
  mkdirSync(folder);
}

/** SQLite's failures in words that say what to do. */
export function databaseError(error: unknown, file: string): unknown {
  if (error instanceof WaymarkError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new WaymarkError(
      'DATABASE_DAMAGED',
      `${file} is damaged or no database (${error.message}): delete it and index again.`,
      { cause: error },
    );
  }
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR|BUSY)|E[A-Z]+$)/.test(code)) {
    return new WaymarkError(
      'DATABASE_UNWRITABLE',
      `${file} cannot be opened or written (${error.message}): check its folder, its permissions, the free space, and whether another process holds it.`,
      { cause: error },
    );
  }
  return error;
}
