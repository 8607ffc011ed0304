import { type Cell, rowChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { putFileTerms } from '../postings/file-terms.js';

/** The columns of a file's checksum, with its tags. */
const SUMMED = `id, bot, key, folder, size, mtime, hash, pipeline, content_type, title, metadata, warnings,
  created_at, updated_at, indexed_at, status, reason, searched, access_policies, expires_at,
  (SELECT json_group_array(json_array(key, value))
   FROM (SELECT key, value FROM file_tags WHERE file = files.number ORDER BY key))`;

/**
 * Updates what follows from a file's row: its terms, checksum and version. Call it in the transaction that changed the
 * row or its tags.
 */
export function sealFile(connection: Connection, number: number): void {
  putFileTerms(connection, number);
  const checksum = fileChecksum(connection, number);
  connection
    .cached(`UPDATE files SET checksum = ?, version = version + 1 WHERE number = ?`)
    .run(checksum ?? null, number);
}

/** The checksum of a file's row and tags as they are now; undefined if there is no such file. */
export function fileChecksum(connection: Connection, number: number): number | undefined {
  const sql = `SELECT ${SUMMED} FROM files WHERE number = ?`;
  const row = connection.cached<[number], Cell[]>(sql).raw().get(number);
  return row && rowChecksum(row);
}
