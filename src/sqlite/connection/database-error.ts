import { WaymarkError, type WaymarkErrorCode } from '../../domain/errors.js';

/**
 * Failures by SQLite's code, or by the system's. The SQL is ours: an error in it comes from a damaged schema or row.
 */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|ERROR|MISMATCH|CONSTRAINT|TOOBIG)/;
const UNWRITABLE = /^(SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR)|E[A-Z]+$)/;

/** The `WaymarkError` for a failure of SQLite or of the file system; other errors are returned as they are. */
export function databaseError(error: unknown, file: string): unknown {
  if (error instanceof WaymarkError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const failure = (waymarkCode: WaymarkErrorCode, message: string) =>
    new WaymarkError(waymarkCode, message, { cause: error });
  if (code === 'SQLITE_NOMEM') {
    return failure('OUT_OF_MEMORY', `SQLite ran out of memory on ${file}: free some memory and try again.`);
  }
  if (DAMAGED.test(code)) {
    const damage = `${file} is damaged or is not a database (${error.message})`;
    const message = `${damage}: run waymark doctor, or delete it and index again.`;
    return failure('DATABASE_DAMAGED', message);
  }
  if (isBusy(error)) {
    return failure('BUSY', `Another process has been writing to ${file} for too long: try again when it has finished.`);
  }
  if (code === 'SQLITE_READONLY_DIRECTORY') {
    const message =
      `${file} is in a folder where no file can be created, and SQLite needs two beside it even for searching: ` +
      'change the permissions of the folder, or copy the database to another.';
    return failure('DATABASE_UNWRITABLE', message);
  }
  if (UNWRITABLE.test(code)) {
    const message =
      `${file} cannot be opened or written (${error.message}): check its folder, its permissions and those of ` +
      'the -wal and -shm files beside it, and the free space.';
    return failure('DATABASE_UNWRITABLE', message);
  }
  return error;
}

/** Whether another process was writing for longer than a write waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(SQLITE_)?BUSY/.test(String(error.code));
}
