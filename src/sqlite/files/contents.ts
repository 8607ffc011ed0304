import { PART, type StagedContent } from '../../storage/contents.js';
import { abandonedContent } from '../../storage/failures.js';
import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';
import { textBytes } from '../texts/text-bytes.js';

/** Inserts a content without bytes. Needs a transaction. */
export function insertContent(connection: Connection): number {
  return connection
    .cached<[string], number>(`INSERT INTO contents (size, touched_at) VALUES (0, ?) RETURNING number`)
    .pluck()
    .get(new Date().toISOString()) as number;
}

/** Adds a part to a staged content. Needs a transaction. Throws `UPLOAD_MISSING` if it is gone. */
export function appendPart(connection: Connection, content: number, bytes: Uint8Array): void {
  const end = connection
    .cached<[number, string, number], number>(
      `UPDATE contents SET size = size + ?, touched_at = ? WHERE number = ? AND file IS NULL RETURNING size`,
    )
    .pluck()
    .get(bytes.length, new Date().toISOString(), content);
  if (end === undefined) throw abandonedContent();
  connection
    .cached(`INSERT INTO content_parts (content, start, bytes, checksum) VALUES (?, ?, ?, ?)`)
    .run(content, end - bytes.length, bytes, crc32(bytes));
}

/** Makes a staged content that of a file. Needs a transaction. Throws `UPLOAD_MISSING` if it is gone. */
export function takeContent(connection: Connection, file: number, { id }: StagedContent): void {
  removeContent(connection, file);
  const { changes } = connection
    .cached(`UPDATE contents SET file = ? WHERE number = ? AND file IS NULL`)
    .run(file, Number(id));
  if (changes === 0) throw abandonedContent();
}

/** SQL, whether a row of `files` has a content: uploaded bytes or the text that was indexed. */
export const HAS_CONTENT = `(hash <> '' OR EXISTS (SELECT 1 FROM contents WHERE contents.file = files.number))`;

/** The file of a key, if it has a content. */
export function fileWithContent(
  connection: Connection,
  { bot, key }: { readonly bot: number; readonly key: string },
): { readonly number: number; readonly id: string; readonly checksum: number | null } | undefined {
  return connection
    .cached<[number, string], { number: number; id: string; checksum: number | null }>(
      `SELECT number, id, checksum FROM files WHERE bot = ? AND key = ? AND ${HAS_CONTENT}`,
    )
    .get(bot, key);
}

/** Removes the uploaded bytes of a file. Needs a transaction. */
export function removeContent(connection: Connection, file: number): void {
  connection.cached(`DELETE FROM contents WHERE file = ?`).run(file);
}

/**
 * Stores the text of a file as its content, a part at a time, unless it has a content: another text is about to be
 * searched. Returns the bytes of the content; undefined if there is neither. Needs a transaction. Throws
 * `DATABASE_DAMAGED`.
 */
export function* keepContent(connection: Connection, file: number): Generator<void, number | undefined> {
  const size = connection.cached<[number], number>(`SELECT size FROM contents WHERE file = ?`).pluck().get(file);
  if (size !== undefined) return size;
  const text = textBytes(connection, file);
  if (!text) return undefined;
  const content = insertContent(connection);
  for (const bytes of text.parts()) {
    yield;
    for (let start = 0; start < bytes.length; start += PART) {
      appendPart(connection, content, bytes.subarray(start, start + PART));
    }
  }
  connection.cached(`UPDATE contents SET is_utf8 = 1 WHERE number = ?`).run(content);
  takeContent(connection, file, { id: String(content), size: text.size });
  return text.size;
}
