import type { FileState } from '../../storage/copies.js';
import type { FileAccess } from '../../storage/file-access.js';
import type { Connection } from '../connection/connection.js';

/** The row of a file to be inserted, or to replace that of its key. */
export interface FileRow
  extends Omit<FileState, 'version' | 'tags' | 'passages' | 'createdAt' | 'accessPolicies' | 'expiresAt'> {
  /** ISO 8601. Defaults to that of the row of its key, or else to `updatedAt`. */
  readonly createdAt?: string;
  /** Defaults to that of the row of its key, or else to no policies and no expiry. */
  readonly access?: FileAccess | undefined;
}

/**
 * Inserts the row of a file, or updates that of its key, which keeps its id. Needs a transaction, and tags, checksum
 * and version follow.
 */
export function putFileRow(
  connection: Connection,
  bot: number,
  { metadata, warnings, failedStatusReason, index, createdAt, access, ...columns }: FileRow,
): { number: number; id: string } {
  return connection
    .cached<[object], { number: number; id: string }>(
      `INSERT INTO files (id, bot, key, folder, size, mtime, ctime, inode, hash, pipeline, content_type, title,
                          metadata, warnings, created_at, updated_at, indexed_at, status, reason, searched,
                          access_policies, expires_at)
       VALUES (@id, @bot, @key, @folder, @size, @mtime, @ctime, @inode, @hash, @pipeline, @contentType, @title,
               @metadata, @warnings, coalesce(@createdAt, @updatedAt), @updatedAt, @indexedAt, @status, @reason,
               @searched, coalesce(@accessPolicies, '[]'), @expiresAt)
       ON CONFLICT (bot, key) DO UPDATE SET
         folder = excluded.folder, size = excluded.size, mtime = excluded.mtime, ctime = excluded.ctime,
         inode = excluded.inode, hash = excluded.hash, pipeline = excluded.pipeline,
         content_type = excluded.content_type, title = excluded.title, metadata = excluded.metadata,
         warnings = excluded.warnings, created_at = coalesce(@createdAt, created_at), updated_at = excluded.updated_at,
         indexed_at = excluded.indexed_at, status = excluded.status, reason = excluded.reason,
         searched = excluded.searched, access_policies = coalesce(@accessPolicies, access_policies),
         expires_at = iif(@accessPolicies IS NULL, expires_at, excluded.expires_at)
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
    }) as { number: number; id: string };
}
