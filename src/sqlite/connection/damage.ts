import type Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '../schema/migrations.js';
import { differencesFrom } from '../schema/schema.js';

/** The result of a check after SQLite reported damage; `unchecked` if the check would take too long, or cannot run. */
export type Verdict = 'damaged' | 'sound' | 'unreadable' | 'unchecked';

/** Maximum bytes of a database that is checked: a check blocks while it reads every page, for 2 seconds from memory. */
const MAX_CHECKED_BYTES = 256 << 20;

/** SQLITE_IOERR, the lowest byte of SQLite's codes for errors of the disk. */
const IO_ERROR = 10;

/**
 * Checks tables and pages. SQLite's error codes alone are not conclusive: FTS5 reports a failed read of the disk as
 * damage, and an error in our SQL has the same code as a missing table.
 */
export function checkDamage(database: Sqlite.Database): Verdict {
  try {
    if (differsFromSchema(database)) return 'damaged';
    const [pages, size] = [numberOf(database, 'page_count'), numberOf(database, 'page_size')];
    if (pages * size > MAX_CHECKED_BYTES) return 'unchecked';
    const rows = database.pragma('quick_check(100)') as readonly { readonly quick_check: string }[];
    const messages = rows.map(({ quick_check }) => quick_check);
    if (messages.join() === 'ok') return 'sound';
    return messages.some(isUnread) ? 'unreadable' : 'damaged';
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    // FTS5 could not read its tables: the cause may be the disk.
    if (message.startsWith('vtable constructor failed')) return 'unchecked';
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'damaged';
    return /^SQLITE_(IOERR|CANTOPEN)/.test(code) ? 'unreadable' : 'unchecked';
  }
}

function differsFromSchema(database: Sqlite.Database): boolean {
  const version = numberOf(database, 'user_version');
  if (version < 1 || version > MIGRATIONS.length) return false;
  const objects = new Map(database.prepare<[], [string, unknown]>(`SELECT name, sql FROM sqlite_schema`).raw().all());
  return differencesFrom(version, objects).length > 0;
}

/** `Tree 5 page 9: unable to get the page. error code=266` */
function isUnread(message: string): boolean {
  const code = /error code=(\d+)/.exec(message)?.[1];
  return code !== undefined && (Number(code) & 0xff) === IO_ERROR;
}

function numberOf(database: Sqlite.Database, pragma: string): number {
  return Number(database.pragma(pragma, { simple: true }));
}
