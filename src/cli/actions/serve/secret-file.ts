import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** The text of a file that only its owner can read; undefined if there is none, or if it is a link or anything else. */
export function readSecret(file: string): string | undefined {
  return explained(file, () => {
    const opened = openIfThere(file);
    if (opened === undefined) return undefined;
    try {
      const { mode } = fstatSync(opened);
      const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0;
      return isPrivate && fstatSync(opened).isFile() ? readFileSync(opened, 'utf8') : undefined;
    } finally {
      closeSync(opened);
    }
  });
}

/** Writes a text to a file that only its owner can read, in place of whatever has that name: never through a link. */
export function writeSecret(file: string, text: string): void {
  explained(file, () => {
    // The folder of a database is there; that of a cluster's files may not be.
    mkdirSync(path.dirname(file), { recursive: true });
    const temporary = `${file}.${randomUUID()}`;
    try {
      writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(code ?? '')) return undefined;
    throw error;
  }
}

/** Runs work on a file. An error names the file and what helps. */
function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy = 'remove it, or correct the permissions of the file and its folder, then start again';
    throw new Error(`${file} cannot be read or replaced (${code}): ${remedy}.`, { cause: error });
  }
}
