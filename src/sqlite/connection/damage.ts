import { fstatSync, openSync, readSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { shownNumber } from '../../contract/wording.js';
import { MIGRATIONS } from '../schema/migrations.js';
import { differencesFrom } from '../schema/schema.js';

/** The result of a check after SQLite reported damage; `unchecked` if the check would take too long, or cannot run. */
export type Verdict = 'damaged' | 'sound' | 'unreadable' | 'unchecked';

/** Maximum bytes of a database that is checked: a check blocks while it reads every page, for 2 seconds from memory. */
const MAX_CHECKED_BYTES = 256 << 20;

/** SQLITE_IOERR, the lowest byte of SQLite's codes for errors of the disk. */
const IO_ERROR = 10;

/** Bytes of the header of a database file (SQLite's file format, 1.3). */
const HEADER = 100;

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

/** Descriptors by device and inode. Closing one would drop SQLite's locks of this process: docs/decisions/005. */
const neverClosed = new Map<string, number>();

/**
 * What a database file lacks, if it is shorter than its header says, such as one whose copying was interrupted:
 * `it has 10,000 of its 286,720 bytes`. Undefined also if it cannot be read.
 */
export function cutOff(file: string): string | undefined {
  try {
    const descriptor = descriptorOf(file);
    const header = Buffer.alloc(HEADER);
    if (readSync(descriptor, header, 0, HEADER, 0) < HEADER) return undefined;
    const pageSize = header.readUInt16BE(16);
    // The largest size is too large for two bytes.
    const whole = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28);
    const { size } = fstatSync(descriptor);
    return size < whole ? `it has ${shownNumber(size)} of its ${shownNumber(whole)} bytes` : undefined;
  } catch {
    // Only adds to the error for the damage, which is reported in any case.
    return undefined;
  }
}

function descriptorOf(file: string): number {
  const { dev, ino } = statSync(file);
  const id = `${dev} ${ino}`;
  const descriptor = neverClosed.get(id) ?? openSync(file, 'r');
  neverClosed.set(id, descriptor);
  return descriptor;
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
