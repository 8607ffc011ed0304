import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

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
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES >> 20} MB: split it`);
  const bytes = await readFile(file);
  return { text: decode(bytes), hash: sha256(bytes), size: bytes.length };
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
