import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { WaymarkError } from '../domain/errors.js';

/** Bytes and text of a file; `hash` is the SHA-256 of the bytes, hex. */
export interface ReadFile {
  readonly text: string;
  readonly hash: string;
  readonly size: number;
}

/** Largest file that is read, in bytes. */
const MAX_BYTES = 64 << 20;

/** Reads a file as UTF-8. Throws an Error with the reason for one that is too large or is something else. */
export async function readUtf8(file: string): Promise<ReadFile> {
  const bytes = await readRegular(file, MAX_BYTES);
  if (!bytes) throw new Error(`it is larger than ${MAX_BYTES >> 20} MB: split it`);
  return { text: decode(bytes), hash: sha256(bytes), size: bytes.length };
}

/**
 * The bytes of a file that its real path names; undefined where there are more than `most`, also where it grows while it
 * is read. Nothing is read through a link, and of nothing but a file: whatever was put in its place since it was found.
 */
export async function readRegular(file: string, most: number): Promise<Uint8Array | undefined> {
  const handle = await openRegular(file);
  try {
    await checkPlace(handle, file);
    const chunks: Buffer[] = [];
    let size = 0;
    while (size <= most) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
      if (bytesRead === 0) return Buffer.concat(chunks, size);
      chunks.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Bytes read at a time. */
const CHUNK = 256 << 10;

/** Opened without waiting, since a FIFO would be waited for here. Windows has neither flag, nor what they are for. */
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

/** Throws where what was opened is not the file of that place: a folder above it may have become a link. */
async function checkPlace(handle: FileHandle, file: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile() || (await realpath(file)) !== file) throw replaced();
  const there = await stat(file, { bigint: true });
  if (there.ino !== opened.ino || there.dev !== opened.dev) throw replaced();
}

function replaced(cause?: unknown): Error {
  return new Error('it was replaced by something else after it was found: index the folder again', { cause });
}

/**
 * A text that was given, as a file that holds it would be read; lone surrogates, which UTF-8 has not, are replaced. Throws
 * `INVALID_ARGUMENT` for one that is larger than a file may be.
 */
export function asRead(text: string): ReadFile {
  const wellFormed = text.toWellFormed();
  const bytes = Buffer.from(wellFormed);
  if (bytes.length > MAX_BYTES) {
    throw new WaymarkError('INVALID_ARGUMENT', `The text is larger than ${MAX_BYTES >> 20} MB: split it.`);
  }
  return { text: wellFormed, hash: sha256(bytes), size: bytes.length };
}

/** The text of bytes that a caller gave. Throws `INVALID_ARGUMENT` where they are not UTF-8. */
export function decodeGiven(bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WaymarkError('INVALID_ARGUMENT', `The content cannot be read: ${reason}.`, { cause });
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new Error('it is UTF-16: save it as UTF-8');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error('it is not UTF-8: save it as UTF-8', { cause });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
