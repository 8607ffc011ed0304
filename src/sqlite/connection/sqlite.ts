import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

// Not imported: in a bundle, its JavaScript would not find its binary.
const require = createRequire(import.meta.url);

/** Opens a database with better-sqlite3. Throws what better-sqlite3 throws, or why it cannot be loaded. */
export function openSqlite(file: string, options?: Sqlite.Options): Sqlite.Database {
  return new (load())(file, options);
}

/** Whether an error comes from SQLite. */
export function isSqliteError(error: unknown): error is InstanceType<typeof Sqlite.SqliteError> {
  return error instanceof load().SqliteError;
}

function load(): typeof Sqlite {
  return require('better-sqlite3');
}
