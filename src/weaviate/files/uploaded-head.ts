import { ulid } from 'ulid';
import type { FileToUpload } from '../../storage/file-records.js';
import { type FileHead, isOutdated } from './file-head.js';

/** Whether a file has a content: uploaded bytes or the text that was indexed. */
export function hasContent({ hash, content }: FileHead): boolean {
  return hash !== '' || content !== null;
}

/** A file for which another content is awaited, unless its own still waits to be indexed, or was not. */
export function awaitingContent(head: FileHead): FileHead {
  if (isOutdated(head)) return head;
  const { failedStatusReason: _, ...former } = head;
  return { ...former, status: 'upload_pending', updatedAt: new Date().toISOString() };
}

/** A file with the description of an upload, whose content it waits for. */
export function describedHead(head: FileHead, file: FileToUpload): FileHead {
  const { failedStatusReason: _, expiresAt: __, keepsDescription: ___, ...former } = head;
  const { size, contentType, tags, metadata, index, accessPolicies, expiresAt, keepsDescription } = file;
  return {
    ...former,
    ...{ size, contentType, tags, metadata, index, accessPolicies, status: 'upload_pending' },
    ...(expiresAt !== undefined && { expiresAt }),
    ...(keepsDescription && { keepsDescription }),
    updatedAt: new Date().toISOString(),
  };
}

/** A file before anything is known of it but its key. */
export function newHead(key: string): FileHead {
  return {
    ...{ id: `file_${ulid()}`, version: 0, key, folder: null, size: 0, mtime: null, ctime: null, inode: null },
    ...{ hash: '', pipeline: '', indexedAt: 0, contentType: '', title: null, metadata: {}, tags: {}, warnings: [] },
    ...{ createdAt: new Date().toISOString(), updatedAt: '', status: 'upload_pending', index: true },
    ...{ accessPolicies: [], generation: null, passages: 0, content: null },
  };
}
