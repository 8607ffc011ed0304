import { open } from 'node:fs/promises';
import type { Connection } from './connection.js';
import { databaseError } from './database-error.js';

/**
 * Syncs all commits to disk, without blocking the event loop. With `synchronous = NORMAL`, SQLite syncs its log only
 * before it moves pages into the database: a power failure leaves it consistent, but the last commits may be lost. So
 * the log is synced once before a change is acknowledged; a sync at every commit (`FULL`) would slow down every write.
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
    // A database that keeps no log has all commits in its file. Where a log was deleted, database-place.ts has refused
    // the write.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw databaseError(error, file);
  }
}
