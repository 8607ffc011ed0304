import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { describeExcess } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';
import { fromBytes, type HashedText, type Reading } from './file-text.js';

/** Reads the text of a file. Throws an Error with the reason if it is too large, not a regular file, or has no text. */
export async function readText(file: string, reading: Reading): Promise<HashedText> {
  const bytes = await readRegular(file, LIMITS.file.value);
  if (!bytes) throw new Error(`${describeExcess({ limit: LIMITS.file })}: split it`);
  return fromBytes(bytes, reading);
}

/**
 * The bytes of a regular file at its real path; undefined if there are more than `maxBytes`, even if the file grows
 * while it is read. Follows no link and reads nothing but a regular file, whatever has replaced the file since it was
 * found.
 */
export async function readRegular(file: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const handle = await openRegular(file);
  try {
    const expected = await checkedSize(handle, file);
    if (expected > maxBytes) return undefined;
    // One more byte shows that it has not grown.
    let bytes = Buffer.allocUnsafe(expected + 1);
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, size, bytes.length - size, null);
      if (bytesRead === 0) return bytes.subarray(0, size);
      size += bytesRead;
      if (size > maxBytes) return undefined;
      if (size === bytes.length) bytes = Buffer.concat([bytes], 2 * size);
    }
  } finally {
    await handle.close();
  }
}

/** Whether a regular file is at its real path. True if the system does not tell. */
export async function isInPlace(file: string): Promise<boolean> {
  try {
    return (await realpath(file)) === file && (await stat(file)).isFile();
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/** Opens without blocking, because opening a FIFO would wait for a writer. Windows lacks both flags and FIFOs. */
async function openRegular(file: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    return await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    // A link, a socket or a device.
    throw code === 'ELOOP' || code === 'ENXIO' ? replaced(cause) : cause;
  }
}

/** The bytes of a file. Throws if it is not the one at its path: a folder above it may have become a link. */
async function checkedSize(handle: FileHandle, file: string): Promise<number> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile() || (await realpath(file)) !== file) throw replaced();
  const there = await stat(file, { bigint: true });
  if (there.ino !== opened.ino || deviceOf(there) !== deviceOf(opened)) throw replaced();
  return Number(opened.size);
}

/** On Windows, some versions of Node know all 64 bits of the device of a path, but only 32 of that of an open file. */
function deviceOf({ dev }: { readonly dev: bigint }): bigint {
  return process.platform === 'win32' ? BigInt.asUintN(32, dev) : dev;
}

function replaced(cause?: unknown): Error {
  return new Error('it was replaced by something else after it was found: index the folder again', { cause });
}
