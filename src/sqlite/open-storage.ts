import type { Storage } from '../storage/storage.js';
import { type OpenOptions, openConnection } from './connection/open-connection.js';
import { SqliteStorage, type SqliteStorageOptions } from './sqlite-storage.js';

/**
 * Opens a database file with everything in it: the embedded storage. Throws `INVALID_ARGUMENT` for a folder,
 * `INDEX_MISSING`, `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`, `BUSY`.
 */
export function openSqliteStorage(file: string, options: OpenOptions & SqliteStorageOptions): Storage {
  const connection = openConnection(file, options);
  try {
    return new SqliteStorage(connection, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}
