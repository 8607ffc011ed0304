import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

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
  const bytes = await readPlain(file);
  return { text: decode(bytes), hash: sha256(bytes), size: bytes.length };
}

/** What was a file when its folder was read may be a link out of it by now, or a pipe that nobody writes to. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function readPlain(file: string): Promise<Uint8Array> {
  const handle = await open(file, FLAGS).catch((cause) => {
    throw cause.code === 'ELOOP' ? new Error('it is a link now: index what it leads to', { cause }) : cause;
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('it is no file any more');
    if (stats.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES >> 20} MB: split it`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** A text that was given, as a file that holds it would be read; lone surrogates, which UTF-8 has not, are replaced. */
export function asRead(text: string): ReadFile {
  const wellFormed = text.toWellFormed();
  const bytes = Buffer.from(wellFormed);
  return { text: wellFormed, hash: sha256(bytes), size: bytes.length };
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
