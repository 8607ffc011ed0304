import { statSync } from 'node:fs';
import { WaymarkError } from '../../domain/errors.js';
import type { Database, Statement } from './database.js';

/** Which file a database was opened from. */
interface Place {
  readonly file: string;
  readonly device: bigint;
  readonly inode: bigint;
}

const places = new WeakMap<Database, Place>();

/**
 * Makes every failure of a database one in words, and keeps writes from being lost: SQLite goes on with a file that was
 * deleted, moved or replaced, and what it writes there is gone when it is closed. Before each transaction that writes, and
 * each write outside of one, is looked whether the file is at its place (two microseconds).
 */
export function guard(database: Database, file: string, failure: (error: unknown) => unknown): void {
  const { dev: device, ino: inode } = statSync(file, { bigint: true });
  places.set(database, { file, device, inode });

  function told<Arguments extends unknown[], T>(call: (...given: Arguments) => T): (...given: Arguments) => T {
    return (...given) => {
      try {
        return call(...given);
      } catch (error) {
        throw database.open ? failure(error) : closedError(error);
      }
    };
  }

  /** Whether it was looked when the transaction that is under way began. */
  let looked = false;

  const prepare = told(database.prepare.bind(database));
  database.prepare = ((sql: string) => {
    const statement = prepare(sql) as Statement<unknown[]>;
    for (const name of ['run', 'get', 'all'] as const) {
      const call: (...given: unknown[]) => unknown = statement[name].bind(statement);
      const placed = (...given: unknown[]) => {
        if (!looked) refuseMoved(database);
        return call(...given);
      };
      Object.assign(statement, { [name]: told(statement.readonly ? call : placed) });
    }
    return statement;
  }) as Database['prepare'];

  const transaction = database.transaction.bind(database);
  database.transaction = ((work: (...given: unknown[]) => unknown) => {
    const { deferred } = transaction(work);
    const { immediate, exclusive } = transaction((...given: unknown[]) => {
      refuseMoved(database);
      const before = looked;
      looked = true;
      try {
        return work(...given);
      } finally {
        looked = before;
      }
    });
    // One that only reads may: what it does write is looked at statement by statement.
    const begin = told(deferred);
    return Object.assign(begin, {
      default: begin,
      deferred: begin,
      immediate: told(immediate),
      exclusive: told(exclusive),
      database,
    });
  }) as Database['transaction'];
}

/** Throws `DATABASE_MOVED` where another file lies at the place of a database: what it answers would be out of date for ever. */
export function refuseReplaced(database: Database): void {
  const place = places.get(database);
  if (place && lookAt(place) === 'replaced') throw replacedError(place);
}

/** Throws `DATABASE_MOVED` also where none lies there: what was written would be lost; what is there may be read still. */
function refuseMoved(database: Database): void {
  const place = places.get(database);
  if (!place) return;
  const found = lookAt(place);
  if (found === 'replaced') throw replacedError(place);
  if (found === 'gone') throw goneError(place);
}

function lookAt({ file, device, inode }: Place): 'there' | 'gone' | 'replaced' | 'unknown' {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!found) return 'gone';
    return found.dev === device && found.ino === inode ? 'there' : 'replaced';
  } catch {
    // Its folder may not be looked into any more: whether it can be used is for SQLite to say.
    return 'unknown';
  }
}

function replacedError({ file }: Place): WaymarkError {
  return new WaymarkError(
    'DATABASE_MOVED',
    `Another file lies at ${file} than the one that was opened: close the index and open it again.`,
  );
}

function goneError({ file }: Place): WaymarkError {
  return new WaymarkError(
    'DATABASE_MOVED',
    `${file} was deleted or moved since it was opened, so nothing can be written: put it back, or open the index anew and index again.`,
  );
}

function closedError(cause: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The index is closed: open it again with openEngine or openHost.', {
    cause,
  });
}
