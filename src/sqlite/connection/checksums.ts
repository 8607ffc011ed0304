import { WaymarkError } from '../../domain/errors.js';
import type { Connection } from './connection.js';
import { crc32 } from './crc32.js';

/** The columns of a passage's checksum, in order: everything that a search reads. */
export const PASSAGE_SUMMED = `passages.id, passages.file, position, start, "end", start_line, end_line,
  breadcrumb, subtype, length, page, embedding`;

/** The columns of a file's checksum, with its tags. */
const FILE_SUMMED = `id, bot, key, folder, size, mtime, hash, pipeline, content_type, title, metadata, warnings,
  created_at, updated_at, indexed_at, status, reason, searched, access_policies, expires_at,
  (SELECT json_group_array(json_array(key, value))
   FROM (SELECT key, value FROM file_tags WHERE file = files.number ORDER BY key))`;

export type Cell = string | number | null;

/** The checksum of a vector's bytes and the hash of its row, so that swapped vectors are detected too. */
export function embeddingChecksum(hash: string, vector: Uint8Array): number {
  return crc32(vector, crc32(hash));
}

/** The checksum of the values of a row. */
export function rowChecksum(values: readonly Cell[]): number {
  return crc32(JSON.stringify(values));
}

/** Updates a file's checksum and version; call it in the transaction that changed the row or its tags. */
export function sealFile(connection: Connection, number: number): void {
  const checksum = fileChecksum(connection, number);
  connection
    .cached(`UPDATE files SET checksum = ?, version = version + 1 WHERE number = ?`)
    .run(checksum ?? null, number);
}

/** The checksum of a file's row and tags as they are now; undefined if there is no such file. */
export function fileChecksum(connection: Connection, number: number): number | undefined {
  const sql = `SELECT ${FILE_SUMMED} FROM files WHERE number = ?`;
  const row = connection.cached<[number], Cell[]>(sql).raw().get(number);
  return row && rowChecksum(row);
}

/** The error for a part of the database that is not as it was written. */
export function damagedPart(part: string): WaymarkError {
  const message = `${part} is damaged in the database: repair it with: waymark doctor --repair`;
  return new WaymarkError('DATABASE_DAMAGED', message);
}
