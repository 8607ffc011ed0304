import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../domain/errors.js';
import type { Place } from './database-place.js';

/** Where SQLite's file format says how a database is written and read: 2 with a log (WAL), 1 with a journal. */
const FORMATS = [18, 19];

/** The most bytes that `readFileSync` reads. */
const MAX_BYTES = 2 ** 31 - 1;

/** A database that was read into memory. */
export interface DatabaseInMemory {
  readonly bytes: Buffer;
  readonly place: Place;
}

/** Whether a database can be read, but no file can be created beside it. */
export function isInReadOnlyFolder(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    accessSync(path.dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    const { code = '', path: failed } = error as NodeJS.ErrnoException;
    return failed !== file && /^(EROFS|EACCES|EPERM)$/.test(code);
  }
}

/**
 * Reads a database of a read-only folder into memory: SQLite needs a log beside it even for reading. Undefined if
 * SQLite can open the file where it is, or must, since it has a log or more than 2 GiB. Throws `BUSY` if the file is
 * being written.
 */
export function readIntoMemory(file: string): DatabaseInMemory | undefined {
  if (!isInReadOnlyFolder(file) || existsSync(logOf(file)) || statSync(file).size > MAX_BYTES) return undefined;
  const before = versionOf(file);
  const bytes = readFileSync(file);
  if (versionOf(file) !== before) {
    throw new WaymarkError('BUSY', `Another process has been writing to ${file}: try again when it has finished.`);
  }
  // In memory there is no log.
  for (const at of FORMATS) bytes[at] = 1;
  return { bytes, place: new ReadOnlyPlace(file, before) };
}

/** Where a database was read from: what is in memory is right for as long as the file stays as it was. */
class ReadOnlyPlace implements Place {
  readonly id: string;
  readonly #file: string;

  constructor(file: string, version: string) {
    this.id = version;
    this.#file = file;
  }

  assertNotReplaced(): void {
    if (this.#isUnchanged()) return;
    const message =
      `${this.#file} has been changed or deleted since it was read into memory: ` +
      'close the index and open it again.';
    throw new WaymarkError('DATABASE_MOVED', message);
  }

  // SQLite refuses to write.
  assertThere(): void {}

  #isUnchanged(): boolean {
    try {
      return versionOf(this.#file) === this.id;
    } catch {
      // Its folder can no longer be searched.
      return true;
    }
  }
}

/** Differs after every write: each changes the log, or the file and its time. A log that is empty counts as none. */
function versionOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  const log = statSync(logOf(file), { bigint: true, throwIfNoEntry: false });
  return [found?.dev, found?.ino, found?.size, found?.mtimeNs, log?.size ?? 0].join();
}

function logOf(file: string): string {
  return `${file}-wal`;
}
