import { type Cell, damagedPart, rowChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { isStoredJson } from '../connection/stored-json.js';
import { putFileTerms } from '../postings/file-terms.js';

/** The columns of a file's checksum, with its tags. */
const SUMMED = `id, bot, key, folder, size, mtime, hash, pipeline, content_type, title, metadata, warnings,
  created_at, updated_at, indexed_at, status, reason, searched, access_policies, expires_at,
  (SELECT json_group_array(json_array(key, value))
   FROM (SELECT key, value FROM file_tags WHERE file = files.number ORDER BY key))`;

/** The columns of a file's row with JSON. */
export interface FileJson {
  readonly metadata: string;
  readonly warnings: string;
  readonly accessPolicies: string;
}

/** Whether the JSON of a file's row can be read: all that is known of a row without a checksum. */
export function isReadable({ metadata, warnings, accessPolicies }: FileJson): boolean {
  return isStoredJson(metadata, 'object') && isStoredJson(warnings, 'texts') && isStoredJson(accessPolicies, 'texts');
}

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

/**
 * Throws `DATABASE_DAMAGED` if a row that is about to be changed in part is not as it was written: its new checksum
 * would hide that. Call it in the transaction that changes the row.
 */
export function assertSealed(connection: Connection, id: string): void {
  const row = connection
    .cached<[string], { number: number; key: string; checksum: number | null }>(
      `SELECT number, key, checksum FROM files WHERE id = ?`,
    )
    .get(id);
  if (row) assertFileIntact(connection, row);
}

/**
 * Throws `DATABASE_DAMAGED` if the row of a file or its tags are not as they were written. Call it in the transaction
 * that read the row.
 */
export function assertFileIntact(
  connection: Connection,
  { key, ...row }: { readonly number: number; readonly key: string; readonly checksum: number | null },
): void {
  if (!isFileIntact(connection, row)) throw damagedPart(rowOfFile(key));
}

/** Whether the row of a file and its tags are as they were written. Rows of earlier versions may have no checksum. */
export function isFileIntact(
  connection: Connection,
  { number, checksum }: { readonly number: number; readonly checksum: number | null },
): boolean {
  return checksum === null || checksum === fileChecksum(connection, number);
}

/** What a file's row is called in errors. */
export function rowOfFile(key: string): string {
  return `The row of the file ${key}`;
}
