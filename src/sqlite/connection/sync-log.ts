import { open } from 'node:fs/promises';
import { type Database, databaseError } from './database.js';

/**
 * Brings what was committed to the disk, in a thread of its own. SQLite syncs its log before it moves what is in it into
 * the database (`synchronous = NORMAL`): consistent after a power failure, but what was committed last may be lost. So
 * whoever acknowledges a change syncs the log once before; a sync at every commit (`FULL`) would hold up all else, and a
 * folder's run by two fifths.
 */
export async function syncLog(database: Database): Promise<void> {
  try {
    const log = await open(`${database.name}-wal`, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
  } catch (error) {
    // Without a log, all that was committed is in the database.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw databaseError(error, database.name);
  }
}
