import type { Connection } from './connection.js';

/** Pages returned in one step: a millisecond or two. */
const STEP = 256;

/** Share of the file that is kept as free pages for later writes. */
const KEPT = 1 / 8;

/** SQLite's number for incremental vacuum. */
const INCREMENTAL = 2;

/** Returns some unused pages to the file system if there are many. Returns whether there are more. */
export async function freePages(connection: Connection): Promise<boolean> {
  const free = Number(connection.pragma('freelist_count'));
  const pages = Number(connection.pragma('page_count'));
  const surplus = free - Math.max(STEP, Math.floor(pages * KEPT));
  if (surplus <= 0 || connection.pragma('auto_vacuum') !== INCREMENTAL) return false;
  // Not `pragma`, which stops after the first row: each row is a page.
  await connection.write(() => connection.exec(`PRAGMA incremental_vacuum(${Math.min(surplus, STEP)})`));
  return surplus > STEP;
}
