import type { FileRecord } from '../../storage/file-records.js';
import { type FileHead, summaryOf } from './file-head.js';
import { hasContent } from './uploaded-head.js';

/** The record of a file, as the file operations return it. */
export function recordOf(head: FileHead): FileRecord {
  const { version, accessPolicies, index, pipeline, status, failedStatusReason, expiresAt, keepsDescription } = head;
  const isAwaited = status === 'upload_pending' || (status === 'upload_failed' && !hasContent(head));
  return {
    ...summaryOf(head),
    ...{ version, accessPolicies, index, pipeline, status },
    size: isAwaited ? null : head.size,
    ...(failedStatusReason !== undefined && { failedStatusReason }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(keepsDescription && { keepsDescription }),
  };
}
