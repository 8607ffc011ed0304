import { existsSync } from 'node:fs';
import { constants, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../domain/forked-program.js';

/** Linux's flag for a file without a name, which is gone when its process is, however it ended. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** Where a process on Linux finds its open files by path. */
const OPEN_FILES = '/proc/self/fd';

const NAME = /^waymark-(\d+)-/;

/**
 * Runs `use` with the path of a new file in `folder` that only this user can read; the file is gone afterwards. Where
 * files need names, those of processes that were killed are removed first.
 */
export async function withTemporaryFile<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const nameless = process.platform === 'linux' && existsSync(OPEN_FILES) ? await openNameless(folder) : undefined;
  if (!nameless) return withNamedFile(folder, use);
  try {
    return await use(`${OPEN_FILES}/${nameless.fd}`);
  } finally {
    await nameless.close();
  }
}

/** Undefined if the file system of the folder, or the kernel, has no files without names. */
async function openNameless(folder: string) {
  try {
    return await open(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EOPNOTSUPP', 'ENOTSUP', 'EISDIR', 'EINVAL'].includes(code)) return undefined;
    throw error;
  }
}

async function withNamedFile<T>(parent: string, use: (path: string) => Promise<T>): Promise<T> {
  for (const name of await readdir(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(parent, `waymark-${process.pid}-`));
  try {
    return await use(join(folder, 'graph'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
