import type { OnStage } from '../storage/stage.js';
import type { Storage } from '../storage/storage.js';
import type { IndexKind } from '../vectors/vector-index.js';
import { type OpenOptions, openConnection } from './connection/open-connection.js';
import { SqliteStorage } from './sqlite-storage.js';

export interface SqliteOptions extends OpenOptions {
  /** Which vector index serves. Defaults to `auto`. */
  readonly index?: IndexKind | undefined;
  /** Vectors above which `auto` uses HNSW. */
  readonly hnswFrom?: number | undefined;
  readonly onStage?: OnStage | undefined;
  /** Called with a message when something still works, but worse than it should. */
  readonly warn: (message: string) => void;
}

/**
 * Opens a database file with everything in it: the embedded storage. Throws `INDEX_MISSING`, `DATABASE_DAMAGED`,
 * `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`, `BUSY`.
 */
export function openSqliteStorage(file: string, options: SqliteOptions): Storage {
  const connection = openConnection(file, options);
  try {
    return new SqliteStorage(connection, options);
  } catch (error) {
    connection.close();
    throw error;
  }
}
