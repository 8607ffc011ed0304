import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from './finding.js';

/** Whether the disk has room for the database once more, as rewriting all of it takes. */
export function checkFreeSpace(file: string): Finding {
  const { size } = statSync(file);
  const { bavail, bsize } = statfsSync(path.dirname(file));
  const free = bavail * bsize;
  const message = `The database takes ${megabytes(size)}, and ${megabytes(free)} are free beside it.`;
  if (free > size) return { check: 'free space', state: 'ok', message };
  const remedy = `make room on the disk of ${path.dirname(file)}, at least ${megabytes(size)}`;
  return { check: 'free space', state: 'warning', message, remedy };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
