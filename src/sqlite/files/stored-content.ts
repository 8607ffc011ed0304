import type { ByteRange, FileContent } from '../../storage/contents.js';
import { replacedContent } from '../../storage/failures.js';
import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';
import { textBytes } from '../texts/text-bytes.js';

interface PartRow {
  readonly start: number;
  readonly bytes: Buffer;
  readonly checksum: number | null;
}

/**
 * SQL, whether a row of `files` lacks its content: none is awaited, but there are neither bytes nor a text. A file that
 * is not searched has an empty text in place of its bytes.
 */
const LACKS_CONTENT = `(status NOT IN ('upload_pending', 'upload_failed')
  AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.file = files.number)
  AND (searched = 0 AND size > 0 OR NOT EXISTS (SELECT 1 FROM texts WHERE texts.file = files.number)))`;

/**
 * The content of a file: what was uploaded, or the text that was indexed; undefined if it has none yet. Throws
 * `DATABASE_DAMAGED`.
 */
export function storedContent(connection: Connection, id: string): FileContent | undefined {
  return connection.read(() => uploadedContent(connection, id) ?? textOf(connection, id));
}

/** What was uploaded for a file; undefined if its content is its text, or if it has none. Needs a transaction. */
export function uploadedContent(connection: Connection, id: string): FileContent | undefined {
  const upload = connection
    .cached<[string], { number: number; key: string; size: number; isUtf8: number | null }>(
      `SELECT contents.number, key, contents.size, is_utf8 AS isUtf8
       FROM contents JOIN files ON files.number = file WHERE id = ?`,
    )
    .get(id);
  if (!upload) return undefined;
  const { number, key, size, isUtf8 } = upload;
  const partAt = (at: number) => partOf(connection, { content: number, key, at });
  // Read now, so that a small content is complete even if its file changes before it is read.
  const first = size > 0 ? partAt(0) : undefined;
  return {
    version: String(number),
    size,
    isText: false,
    isUtf8: isUtf8 === null ? undefined : isUtf8 === 1,
    async *read({ start, end }: ByteRange = { start: 0, end: size }) {
      for (let at = start; at < end; ) {
        const part = first && at < first.bytes.length ? first : partAt(at);
        yield part.bytes.subarray(at - part.start, end - part.start);
        at = part.start + part.bytes.length;
      }
    },
  };
}

/** The part of a content that contains the byte at offset `at`. */
function partOf(
  connection: Connection,
  { content, key, at }: { readonly content: number; readonly key: string; readonly at: number },
): PartRow {
  const part = connection
    .cached<[number, number], PartRow>(
      `SELECT start, bytes, checksum FROM content_parts WHERE content = ? AND start <= ? ORDER BY start DESC LIMIT 1`,
    )
    .get(content, at);
  if (!part && !connection.cached(`SELECT 1 FROM contents WHERE number = ?`).get(content)) {
    throw replacedContent(key);
  }
  if (!part || !isIntact(part) || at >= part.start + part.bytes.length) throw damagedPart(`The content of ${key}`);
  return part;
}

/** Whether a file has the content that it should have, and every part of it is as it was written. */
export function isContentIntact(connection: Connection, file: number): boolean {
  const content = connection
    .cached<[number], { number: number; size: number }>(`SELECT number, size FROM contents WHERE file = ?`)
    .get(file);
  if (!content) {
    const lacksContent = connection.cached<[number], number>(`SELECT ${LACKS_CONTENT} FROM files WHERE number = ?`);
    return lacksContent.pluck().get(file) !== 1;
  }
  const parts = connection
    .prepare<[number], PartRow>(`SELECT start, bytes, checksum FROM content_parts WHERE content = ? ORDER BY start`)
    .iterate(content.number);
  let end = 0;
  for (const part of parts) {
    if (part.start !== end || !isIntact(part)) return false;
    end += part.bytes.length;
  }
  return end === content.size;
}

/** Parts of an earlier version may have no checksum. */
function isIntact({ bytes, checksum }: PartRow): boolean {
  return checksum === null || checksum === crc32(bytes);
}

/** The text of a file that was indexed. */
function textOf(connection: Connection, id: string): FileContent | undefined {
  const file = connection
    .cached<[string], { number: number; key: string; lacksContent: 0 | 1 }>(
      `SELECT number, key, ${LACKS_CONTENT} AS lacksContent FROM files WHERE id = ?`,
    )
    .get(id);
  if (file?.lacksContent) throw damagedPart(`The content of ${file.key}`);
  const text = file && textBytes(connection, file.number);
  if (!text) return undefined;
  return {
    version: text.hash,
    size: text.size,
    isText: true,
    isUtf8: true,
    async *read(range?: ByteRange) {
      yield* text.parts(range);
    },
  };
}
