import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { WaymarkError } from '../domain/errors.js';
import { excessOf, limitError } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';
import type { Format } from '../formats/format-table.js';
import { decodeUnicode } from './decode-unicode.js';
import type { Parser } from './indexing.js';

/** A text with its hash and the size of its file. */
export interface FileText {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hex, whatever the encoding of the file. */
  readonly hash: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** What decodes a text that is not Unicode, in a parse process. */
const WINDOWS_1252 = new URL('./decode-windows-1252.js', import.meta.url);

/** How the bytes of a file become its text. */
export interface Reading {
  readonly format: Format;
  readonly parser: Pick<Parser, 'extract'>;
}

/**
 * The text of a file: decoded, or extracted if its format is not text. Throws an Error with the reason if its encoding
 * is not known for sure, or if no text can be extracted.
 */
export async function fromBytes(bytes: Uint8Array, { format, parser }: Reading): Promise<FileText> {
  const { name, extractor } = format;
  const decoded = extractor ? undefined : decodeUnicode(bytes);
  const text = decoded ?? (await parser.extract(bytes, { name, extractor: extractor ?? WINDOWS_1252 }));
  return { text, hash: sha256(!extractor && isUtf8(bytes) ? bytes : Buffer.from(text)), size: bytes.length };
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

/** The text of uploaded bytes. Throws `INVALID_ARGUMENT` if there is none. */
export async function fromUpload(bytes: Uint8Array, reading: Reading): Promise<FileText> {
  try {
    return await fromBytes(bytes, reading);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WaymarkError('INVALID_ARGUMENT', `The content cannot be read: ${reason}.`, { cause });
  }
}

/** In hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
