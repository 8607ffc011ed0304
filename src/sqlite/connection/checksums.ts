import { WaymarkError } from '../../domain/errors.js';
import { crc32 } from './crc32.js';
import type { Database } from './database.js';
import { prepared } from './prepared.js';

/** What a passage's checksum is made of, in its order: all that searching reads of it. */
export const PASSAGE_SUMMED = `passages.id, passages.file, position, start, "end", start_line, end_line, breadcrumb, subtype, length, page, embedding`;

/** The same of a file, with its tags. */
const FILE_SUMMED = `id, bot, key, folder, size, mtime, hash, pipeline, content_type, title, metadata, warnings, created_at,
  updated_at, indexed_at, status, reason, searched, access_policies, expires_at,
  (SELECT json_group_array(json_array(key, value)) FROM (SELECT key, value FROM file_tags WHERE file = files.number ORDER BY key))`;

export type Cell = string | number | null;

/** Of a vector's bytes and of the row's hash, so that a vector in another's place is noticed, too. */
export function embeddingChecksum(hash: string, vector: Uint8Array): number {
  return crc32(vector, crc32(hash));
}

/** Of the values of a row. */
export function rowChecksum(values: readonly Cell[]): number {
  return crc32(JSON.stringify(values));
}

/** Brings a file's checksum up to date; to be called in the transaction that changed its row or tags. */
export function sealFile(database: Database, number: number): void {
  const checksum = summedFile(database, number);
  prepared(database, `UPDATE files SET checksum = ? WHERE number = ?`).run(checksum ?? null, number);
}

/** What a file's checksum has to be, by its row and tags as they are; undefined where there is no such file. */
export function summedFile(database: Database, number: number): number | undefined {
  const row = prepared<[number], Cell[]>(database, `SELECT ${FILE_SUMMED} FROM files WHERE number = ?`)
    .raw()
    .get(number) as Cell[] | undefined;
  return row && rowChecksum(row);
}

/** `DATABASE_DAMAGED` for a part of the database that is not as it was written. */
export function damagedPart(part: string): WaymarkError {
  return new WaymarkError(
    'DATABASE_DAMAGED',
    `${part} is damaged in the database: mend it with: waymark doctor --repair`,
  );
}
