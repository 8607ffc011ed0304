import { createHash } from 'node:crypto';
import { textParts } from '../../text/parts.js';
import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';

/** A part of a file's text. */
export interface TextPart {
  /** The offset of its first UTF-16 code unit. */
  readonly start: number;
  readonly text: string;
  readonly checksum: number | null;
}

/** UTF-16 code units of a part: some eight passages. A text of an earlier version is one part. */
const PART = 1 << 14;

/** Parts that are removed at a time: about a millisecond. */
const STEP = 64;

/** The parts of all texts. Most texts have a single part, which is in the table `texts`. */
const PARTS = `(SELECT file, 0 AS start, text, checksum FROM texts
  UNION ALL SELECT file, start, text, checksum FROM text_parts)`;

/** The offset of the part of a text that contains the character at offset `@at`. */
const START = `coalesce((SELECT max(start) FROM text_parts WHERE file = @file AND start <= @at), 0)`;

/** Replaces the text of a file, a part at a time. Needs a transaction. */
export function* putText(
  connection: Connection,
  file: number,
  { text, hash }: { readonly text: string; readonly hash: string },
): Generator<void> {
  yield* removeOtherParts(connection, file);
  const putFirst = connection.cached(
    `INSERT INTO texts (file, text, checksum) VALUES (?, ?, ?)
     ON CONFLICT (file) DO UPDATE SET text = excluded.text, checksum = excluded.checksum`,
  );
  const insert = connection.cached(`INSERT INTO text_parts (file, start, text, checksum) VALUES (?, ?, ?, ?)`);
  let start = 0;
  for (const part of textParts(text, PART)) {
    const checksum = partChecksum({ start, text: part }, hash);
    if (start === 0) putFirst.run(file, part, checksum);
    else insert.run(file, start, part, checksum);
    start += part.length;
    yield;
  }
}

/** Removes the text of a file, some parts at a time. Needs a transaction. */
export function* removeText(connection: Connection, file: number): Generator<void> {
  yield* removeOtherParts(connection, file);
  connection.cached(`DELETE FROM texts WHERE file = ?`).run(file);
}

/**
 * The part of a file's text that contains the character at offset `at`, or else the last one; undefined without a text.
 */
export function partAt(connection: Connection, file: number, at: number): TextPart | undefined {
  return connection
    .cached<[object], TextPart>(`SELECT start, text, checksum FROM ${PARTS} WHERE file = @file AND start = ${START}`)
    .get({ file, at });
}

/** All parts of a file's text, in order. */
export function storedParts(connection: Connection, file: number): TextPart[] {
  return connection
    .cached<[number], TextPart>(`SELECT start, text, checksum FROM ${PARTS} WHERE file = ? ORDER BY start`)
    .all(file);
}

/** The whole text with this hash; null if it has no parts, undefined if they are not as they were written. */
export function wholeText(parts: readonly TextPart[], hash: string): string | null | undefined {
  if (parts.length === 0) return null;
  const texts = parts.map(({ text }) => text);
  // One damaged bit can turn a text into a blob.
  const text = texts.every((part) => typeof part === 'string') ? texts.join('') : undefined;
  return text !== undefined && hasHash(text, hash) ? text : undefined;
}

/** Where the parts of a file's text begin, and their sizes in UTF-8, in order. */
export function partSizes(connection: Connection, file: number): { readonly start: number; readonly bytes: number }[] {
  return connection
    .cached<[number], { start: number; bytes: number }>(
      `SELECT start, octet_length(text) AS bytes FROM ${PARTS} WHERE file = ? ORDER BY start`,
    )
    .all(file);
}

/** Whether a part of the text of a file is as it was written; `hash` is that of the file. */
export function isPartIntact(part: TextPart, hash: string): boolean {
  // One damaged bit can turn a text into a blob.
  if (typeof part.text !== 'string') return false;
  return part.checksum === null ? hasHash(part.text, hash) : part.checksum === partChecksum(part, hash);
}

/**
 * Whether every part of a text that has this hash is where a search looks for it, with its checksum: a text may be
 * whole although its parts cannot be read one by one.
 */
export function arePartsIntact(parts: readonly TextPart[], hash: string): boolean {
  let end = 0;
  return parts.every((part) => {
    const isInPlace = part.start === end;
    end += part.text.length;
    return isInPlace && isPartIntact(part, hash);
  });
}

/** With the hash of the whole text, so that a part of another text is detected too. */
function partChecksum({ start, text }: Omit<TextPart, 'checksum'>, hash: string): number {
  return crc32(text, crc32(`${hash} ${start}`));
}

/** Whether the SHA-256 of a text is `hash`. */
function hasHash(text: string, hash: string): boolean {
  return createHash('sha256').update(text).digest('hex') === hash;
}

/** Removes all parts of a file's text but the first, which is in `texts`. */
function* removeOtherParts(connection: Connection, file: number): Generator<void> {
  const remove = connection.cached(
    `DELETE FROM text_parts WHERE (file, start) IN (SELECT file, start FROM text_parts WHERE file = ? LIMIT ?)`,
  );
  while (remove.run(file, STEP).changes === STEP) yield;
}
