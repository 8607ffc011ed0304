import { ulid } from 'ulid';
import type { FileState } from '../../storage/copies.js';
import type { FileAccess } from '../../storage/file-access.js';
import type { FileToUpload } from '../../storage/file-records.js';
import type { Connection } from '../connection/connection.js';

/** The row of a file to insert. It replaces the row that already has its key. */
export interface FileRow
  extends Omit<
    FileState,
    'version' | 'tags' | 'passages' | 'createdAt' | 'accessPolicies' | 'expiresAt' | 'keepsDescription'
  > {
  /** ISO 8601. Defaults to the value in the row that it replaces, or else to `updatedAt`. */
  readonly createdAt?: string;
  /** Defaults to the values in the row that it replaces, or else to no policies and no expiry. */
  readonly access?: FileAccess | undefined;
  /** Defaults to the value in the row that it replaces, or else to false. */
  readonly keepsDescription?: FileState['keepsDescription'];
}

/**
 * Inserts the row of a file, or updates the row that has its key, which keeps its id. Needs a transaction, in which the
 * caller then writes tags, checksum and version.
 */
export function putFileRow(
  connection: Connection,
  bot: number,
  { metadata, warnings, failedStatusReason, index, createdAt, access, keepsDescription, ...columns }: FileRow,
): { number: number; id: string } {
  return connection
    .cached<[object], { number: number; id: string }>(
      `INSERT INTO files (id, bot, key, folder, size, mtime, ctime, inode, hash, pipeline, content_type, title,
                          metadata, warnings, created_at, updated_at, indexed_at, status, reason, searched,
                          access_policies, expires_at, keeps_description)
       VALUES (@id, @bot, @key, @folder, @size, @mtime, @ctime, @inode, @hash, @pipeline, @contentType, @title,
               @metadata, @warnings, coalesce(@createdAt, @updatedAt), @updatedAt, @indexedAt, @status, @reason,
               @searched, coalesce(@accessPolicies, '[]'), @expiresAt, coalesce(@keepsDescription, 0))
       ON CONFLICT (bot, key) DO UPDATE SET
         folder = excluded.folder, size = excluded.size, mtime = excluded.mtime, ctime = excluded.ctime,
         inode = excluded.inode, hash = excluded.hash, pipeline = excluded.pipeline,
         content_type = excluded.content_type, title = excluded.title, metadata = excluded.metadata,
         warnings = excluded.warnings, created_at = coalesce(@createdAt, created_at), updated_at = excluded.updated_at,
         indexed_at = excluded.indexed_at, status = excluded.status, reason = excluded.reason,
         searched = excluded.searched, access_policies = coalesce(@accessPolicies, access_policies),
         expires_at = iif(@accessPolicies IS NULL, expires_at, excluded.expires_at),
         keeps_description = coalesce(@keepsDescription, keeps_description)
       RETURNING number, id`,
    )
    .get({
      ...columns,
      bot,
      metadata: JSON.stringify(metadata),
      warnings: JSON.stringify(warnings),
      reason: failedStatusReason ?? null,
      searched: Number(index),
      createdAt: createdAt ?? null,
      accessPolicies: access ? JSON.stringify(access.accessPolicies) : null,
      expiresAt: access?.expiresAt ?? null,
      keepsDescription: keepsDescription === undefined ? null : Number(keepsDescription),
    }) as { number: number; id: string };
}

/**
 * Inserts the row of a file that waits for its content. If a row has the key already, that row waits for the content,
 * and keeps its id and everything that depends on its text. Needs a transaction, in which the caller then writes tags,
 * checksum and version.
 */
export function putUploadRow(
  connection: Connection,
  bot: number,
  { metadata, index, accessPolicies, expiresAt, keepsDescription = false, ...file }: FileToUpload,
): { number: number; id: string } {
  return connection
    .cached<[object], { number: number; id: string }>(
      `INSERT INTO files (id, bot, key, size, hash, pipeline, content_type, metadata, warnings, created_at, updated_at,
                          indexed_at, status, searched, access_policies, expires_at, keeps_description)
       VALUES (@id, @bot, @key, @size, '', '', @contentType, @metadata, '[]', @now, @now,
               0, 'upload_pending', @searched, @accessPolicies, @expiresAt, @keepsDescription)
       ON CONFLICT (bot, key) DO UPDATE SET
         size = excluded.size, content_type = excluded.content_type, metadata = excluded.metadata,
         updated_at = excluded.updated_at, status = excluded.status, reason = NULL, searched = excluded.searched,
         access_policies = excluded.access_policies, expires_at = excluded.expires_at,
         keeps_description = excluded.keeps_description
       RETURNING number, id`,
    )
    .get({
      ...{ key: file.key, size: file.size, contentType: file.contentType },
      id: `file_${ulid()}`,
      bot,
      metadata: JSON.stringify(metadata),
      searched: Number(index),
      accessPolicies: JSON.stringify(accessPolicies),
      expiresAt: expiresAt ?? null,
      keepsDescription: Number(keepsDescription),
      now: new Date().toISOString(),
    }) as { number: number; id: string };
}
