import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { WaymarkError } from '../domain/errors.js';
import { excessOf, limitError } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';
import { decode } from './decode.js';

/** A text with its hash and the size of its file. */
export interface FileText {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hex, whatever the encoding of the file. */
  readonly hash: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** Decodes the bytes of a file. Throws an Error with the reason if their encoding is not known for sure. */
export function fromBytes(bytes: Uint8Array): FileText {
  const text = decode(bytes);
  return { text, hash: sha256(isUtf8(bytes) ? bytes : Buffer.from(text)), size: bytes.length };
}

/**
 * A text from a caller, like a file that contains it. Lone surrogates, which UTF-8 cannot represent, are replaced.
 * Throws `INVALID_ARGUMENT` if it is larger than a file may be.
 */
export function fromText(text: string): FileText {
  const wellFormed = text.toWellFormed();
  const bytes = Buffer.from(wellFormed);
  const excess = excessOf(LIMITS.file, bytes.length);
  if (excess) throw limitError(excess, 'split it');
  return { text: wellFormed, hash: sha256(bytes), size: bytes.length };
}

/** Decodes uploaded bytes. Throws `INVALID_ARGUMENT` if their encoding is not known for sure. */
export function decodeUpload(bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WaymarkError('INVALID_ARGUMENT', `The content cannot be read: ${reason}.`, { cause });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
