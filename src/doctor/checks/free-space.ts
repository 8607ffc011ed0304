import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { shownSize } from '../../contract/wording.js';
import type { Finding } from '../finding.js';

/**
 * Checks that the disk has room for a second copy of the database, which rewriting all of it would need. `file` is its
 * path without links: the log is beside that one.
 */
export function checkFreeSpace(file: string): Finding {
  const check = 'free space';
  const folder = path.dirname(file);
  // Changes are in the log first: the file alone may be a fraction of what a copy takes.
  const size = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `The database takes ${shownSize(size)}; ${shownSize(free)} are free on its disk.`;
  if (free > size) return { check, state: 'ok', message };
  return { check, state: 'warning', message, remedy: `free at least ${shownSize(size)} on the disk of ${folder}` };
}
