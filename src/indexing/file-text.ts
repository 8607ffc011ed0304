import { createHash } from 'node:crypto';
import { type Abortable, unlessAborted } from '../domain/abortable.js';
import { reasonOf, WaymarkError } from '../domain/errors.js';
import { excessOf, limitError } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';
import { inTurns } from '../domain/scheduling/in-turns.js';
import type { Format } from '../formats/format-table.js';
import { textParts, utf8Parts } from '../text/parts.js';
import { decodeDeclared } from './decoding/decode-declared.js';
import { type DecodedText, decodeUnicode } from './decoding/decode-unicode.js';
import type { Parser } from './indexing.js';

/** A text with its hash and the size of its file. */
export interface HashedText {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hex, whatever the encoding of the file. */
  readonly hash: string;
  /** Bytes of the file. */
  readonly size: number;
}

/** The text of a file, read from its bytes. */
export interface ReadText extends HashedText {
  /** Whether the bytes are the text in UTF-8; otherwise it was decoded or extracted. */
  readonly isContent: boolean;
}

/** Bytes or characters hashed in one turn of the event loop: two to five milliseconds. */
const PART = 1 << 20;

/** The extractor, for a parse process, that decodes a text that is not Unicode. */
const WINDOWS_1252 = new URL('./decoding/guess-windows-1252.js', import.meta.url);

/** How the bytes of a file become its text. */
export interface Reading extends Abortable {
  readonly format: Format;
  readonly parser: Pick<Parser, 'extract'>;
}

/**
 * The text of a file: decoded, or extracted if its format is not text. Throws an Error with the reason if its encoding
 * is not known for sure, or if no text can be extracted; `ABORTED`.
 */
export async function fromBytes(bytes: Uint8Array, { format, parser, signal }: Reading): Promise<ReadText> {
  const { name, extractor } = format;
  const decoded = extractor ? undefined : ((await decodeUnicode(bytes)) ?? (await declaredText(bytes, format)));
  const extract = () => parser.extract(bytes, { name, extractor: extractor ?? WINDOWS_1252 });
  const text = decoded?.text ?? (await unlessAborted(extract, signal));
  const isContent = decoded?.isUtf8 ?? false;
  return {
    text,
    isContent,
    hash: await sha256(isContent ? utf8Parts(bytes, PART) : textParts(text, PART)),
    size: bytes.length,
  };
}

/** The text of a file in the encoding that it declares; undefined if it declares none, or is not in it. */
async function declaredText(bytes: Uint8Array, { declaredEncoding }: Format): Promise<DecodedText | undefined> {
  const encoding = (await declaredEncoding?.())?.(bytes);
  const text = encoding === undefined ? undefined : await decodeDeclared(bytes, encoding);
  return text === undefined ? undefined : { text, isUtf8: false };
}

/**
 * A text from a caller, like a file that contains it. Lone surrogates, which UTF-8 cannot represent, are replaced.
 * Throws `INVALID_ARGUMENT` if it is larger than a file may be.
 */
export async function fromText(text: string): Promise<HashedText> {
  const hash = createHash('sha256');
  let size = 0;
  let isWellFormed = true;
  for await (const part of inTurns(textParts(text, PART))) {
    const bytes = Buffer.from(part);
    hash.update(bytes);
    size += bytes.length;
    isWellFormed &&= part.isWellFormed();
  }
  const excess = excessOf(LIMITS.file, size);
  if (excess) throw limitError(excess, 'split it');
  return { text: isWellFormed ? text : text.toWellFormed(), hash: hash.digest('hex'), size };
}

/** The text of uploaded bytes. Throws `INVALID_ARGUMENT` if there is none. */
export async function fromUpload(bytes: Uint8Array, reading: Reading): Promise<ReadText> {
  try {
    return await fromBytes(bytes, reading);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    const reason = reasonOf(cause);
    throw new WaymarkError('INVALID_ARGUMENT', `The content cannot be read: ${reason}.`, { cause });
  }
}

/** The SHA-256 of some parts together, in hex. Takes a turn of the event loop for each part. */
async function sha256(parts: Iterable<string | Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of inTurns(parts)) hash.update(part);
  return hash.digest('hex');
}
