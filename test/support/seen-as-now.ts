import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** Lets the database believe that a file was read an hour from now, long after its last change. */
export function seenAsNow(database: string, file: string): void {
  const { mtimeMs, ctimeMs, ino } = statSync(file);
  const connection = new Sqlite(database);
  connection
    .prepare(`UPDATE files SET mtime = ?, ctime = ?, inode = ?, indexed_at = ?, checksum = NULL`)
    .run(mtimeMs, ctimeMs, ino, Date.now() + 3_600_000);
  connection.close();
}
