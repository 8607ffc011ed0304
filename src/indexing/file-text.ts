import { createHash } from 'node:crypto';
import { WaymarkError } from '../domain/errors.js';
import { excessOf, limitError } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';

/** A text with the hash and the size of its bytes. */
export interface FileText {
  readonly text: string;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Decodes the bytes of a file. Throws an Error with the reason if they are not UTF-8. */
export function fromBytes(bytes: Uint8Array): FileText {
  return { text: decode(bytes), hash: sha256(bytes), size: bytes.length };
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

/** Decodes uploaded bytes. Throws `INVALID_ARGUMENT` if they are not UTF-8. */
export function decodeUpload(bytes: Uint8Array): string {
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
