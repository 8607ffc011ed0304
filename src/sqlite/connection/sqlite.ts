import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { errorOf, WaymarkError } from '../../domain/errors.js';

// Not imported: in a bundle, its JavaScript would not find its binary.
const require = createRequire(import.meta.url);

/**
 * The package to load. Version 12 of better-sqlite3 aborts the process from Node 24.19 on when it collects a statement,
 * and version 13 (better-sqlite3-napi) needs Node 22. See docs/decisions/123.
 */
export const SQLITE = Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3' : 'better-sqlite3-napi';

/** Opens a database, from its file or its bytes. Throws what better-sqlite3 throws, and `SQLITE_UNAVAILABLE`. */
export function openSqlite(database: string | Buffer, options?: Sqlite.Options): Sqlite.Database {
  return new (load())(database, options);
}

/** Whether an error comes from SQLite. */
export function isSqliteError(error: unknown): error is InstanceType<typeof Sqlite.SqliteError> {
  return error instanceof load().SqliteError;
}

/** Why SQLite cannot be loaded on this machine; undefined if it can. */
export function sqliteUnavailable(): Error | undefined {
  return errorOf(load);
}

let loaded: typeof Sqlite | undefined;

function load(): typeof Sqlite {
  loaded ??= loadBinary();
  return loaded;
}

/** The package, whose binary is not loaded before the first database is opened. */
function loadBinary(): typeof Sqlite {
  try {
    const Database: typeof Sqlite = require(SQLITE);
    new Database(':memory:').close();
    return Database;
  } catch (cause) {
    throw new WaymarkError('SQLITE_UNAVAILABLE', unavailable(cause), { cause });
  }
}

function unavailable(cause: unknown): string {
  const isMissing = (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
  return isMissing
    ? `${SQLITE} is not installed: npm leaves out what it cannot build. See why with: npm install --foreground-scripts`
    : `${SQLITE} has no binary that Node.js ${process.versions.node} can load: build one with npm rebuild ${SQLITE}. ` +
        `If your package manager blocks install scripts, allow that of ${SQLITE}.`;
}
