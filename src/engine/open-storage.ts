import { existsSync } from 'node:fs';
import path from 'node:path';
import { openSqliteStorage } from '../sqlite/open-storage.js';
import { stemOf } from '../sqlite/postings/stems.js';
import type { Storage } from '../storage/storage.js';
import { type EngineOptions, stageObserverOf, warnerOf } from './engine-options.js';

/** The storage that options name: a database file, or a cluster. Throws what `openEngine` throws. */
export async function openStorage(options: Omit<EngineOptions, 'bot'>): Promise<Storage> {
  const { database, cluster, create = true, busyTimeout, index, hnswFrom } = options;
  const onStage = stageObserverOf(options);
  // The stems must be those of SQLite: a copy of a database must be found by the same words.
  if (cluster) {
    // Loaded only when needed: its modules would take a tenth of the start-up time of every process.
    const { openWeaviateStorage } = await import('../weaviate/open-storage.js');
    return openWeaviateStorage(cluster, { create, stem: stemOf, onStage });
  }
  const file = path.resolve(database ?? '');
  return openSqliteStorage(file, { create, busyTimeout, index, hnswFrom, onStage, warn: warnerOf(options) });
}

/** Whether options name a database file that does not exist yet. */
export function isNewDatabase({ database }: Pick<EngineOptions, 'database'>): boolean {
  return database !== undefined && !existsSync(database);
}
