import type { FileRecord, FileStatus, FileToUpload } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';
import { HAS_CONTENT } from './contents.js';
import { policiesOf } from './file-states.js';
import { SUMMARY, type SummaryRow, summaryOf } from './files.js';
import { assertFileIntact } from './seal-file.js';

/** The row of a `FileRecord`. */
export interface RecordRow extends SummaryRow {
  readonly number: number;
  readonly checksum: number | null;
  readonly version: number;
  readonly size: number | null;
  readonly accessPolicies: string;
  readonly index: 0 | 1;
  readonly pipeline: string;
  readonly status: FileStatus;
  readonly reason: string | null;
  readonly expiresAt: string | null;
  readonly keepsDescription: 0 | 1;
}

/** The bytes of a file; null while its content is awaited. */
export const SIZE = `iif(status = 'upload_pending' OR (status = 'upload_failed' AND NOT ${HAS_CONTENT}), NULL, size)`;

/** The columns of a `RecordRow`. */
export const RECORD = `files.number, files.checksum, files.version, ${SUMMARY}, ${SIZE} AS size,
  access_policies AS accessPolicies,
  searched AS "index", pipeline, status, reason, expires_at AS expiresAt,
  keeps_description AS keepsDescription`;

/** The record of a row that the same transaction has read. Throws `DATABASE_DAMAGED` if it is not as it was written. */
export function intactRecordOf(connection: Connection, row: RecordRow): FileRecord {
  assertFileIntact(connection, row);
  return recordOf(row);
}

/** The record of an announced file. It takes from the row only the fields that an announcement does not change. */
export function announcedRecord(row: RecordRow, { index, ...file }: FileToUpload): FileRecord {
  const { fileId: id, version, createdAt, updatedAt, pipeline } = row;
  const { key, contentType, tags, metadata, accessPolicies, expiresAt } = file;
  return {
    ...{ id, version, key, contentType, tags, metadata, createdAt, updatedAt, accessPolicies, index, pipeline },
    ...{ size: null, status: 'upload_pending' },
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** The record of a row that the same transaction has written. */
export function recordOf(row: RecordRow): FileRecord {
  return {
    ...summaryOf(row),
    version: row.version,
    size: row.size,
    accessPolicies: policiesOf(row),
    index: row.index === 1,
    pipeline: row.pipeline,
    status: row.status,
    ...(row.reason !== null && { failedStatusReason: row.reason }),
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt }),
    ...(row.keepsDescription === 1 && { keepsDescription: true }),
  };
}
