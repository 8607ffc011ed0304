import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';
import { hasHash } from './file-texts.js';

/** Stores the uploaded bytes of a file. Needs a transaction. */
export function putContent(connection: Connection, file: number, bytes: Uint8Array): void {
  connection
    .cached(
      `INSERT INTO contents (file, bytes, checksum) VALUES (?, ?, ?)
       ON CONFLICT (file) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum`,
    )
    .run(file, bytes, crc32(bytes));
}

/** Removes the uploaded bytes of a file. Needs a transaction. */
export function removeContent(connection: Connection, file: number): void {
  connection.cached(`DELETE FROM contents WHERE file = ?`).run(file);
}

/**
 * Keeps what a file was indexed from as its content, since another text is about to be searched. Returns the bytes of
 * the content; undefined if the file has none yet. Needs a transaction. Throws `DATABASE_DAMAGED`.
 */
export function keepContent(connection: Connection, file: number): number | undefined {
  const size = connection
    .cached<[number], number>(`SELECT length(bytes) FROM contents WHERE file = ?`)
    .pluck()
    .get(file);
  if (size !== undefined) return size;
  const indexed = connection
    .cached<[number], { key: string; text: string; hash: string }>(
      `SELECT key, text, hash FROM files JOIN texts ON file = number WHERE number = ?`,
    )
    .get(file);
  if (!indexed) return undefined;
  // A checksum of damaged bytes would pass them for the original.
  if (!hasHash(indexed.text, indexed.hash)) throw damagedPart(`The text of ${indexed.key}`);
  const bytes = Buffer.from(indexed.text);
  putContent(connection, file, bytes);
  return bytes.length;
}
