import { open } from 'node:fs/promises';
import type { Connection } from './connection.js';
import { databaseError } from './database-error.js';

/**
 * Brings everything committed to the disk, in a thread of its own. With `synchronous = NORMAL` SQLite syncs its log
 * before it moves pages into the database: consistent after a power failure, but the last commits may be lost. So the
 * log is synced once before a change is acknowledged; a sync at every commit (`FULL`) would slow down everything.
 */
export async function syncLog({ file }: Connection): Promise<void> {
  try {
    const log = await open(`${file}-wal`, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
  } catch (error) {
    // Without a log everything committed is in the database.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw databaseError(error, file);
  }
}
