import type { Database } from './database.js';

/** Pages that are given back at a time: a millisecond or two. */
const AT_ONCE = 256;

/** Free pages are kept for what comes next, up to this share of the file. */
const KEPT = 1 / 8;

/** Gives some of the pages that nothing uses back to the file system, where there are many; whether there are more. */
export function freePages(database: Database): boolean {
  const free = Number(database.pragma('freelist_count', { simple: true }));
  const pages = Number(database.pragma('page_count', { simple: true }));
  const surplus = free - Math.max(AT_ONCE, Math.floor(pages * KEPT));
  if (surplus <= 0 || database.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) return false;
  database.pragma(`incremental_vacuum(${Math.min(surplus, AT_ONCE)})`);
  return surplus > AT_ONCE;
}

/** What SQLite calls the kind of vacuum that is done in steps. */
const INCREMENTAL = 2;
