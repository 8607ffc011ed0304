import { changedMetadata, changedTags } from '../domain/description.js';
import type { FileChanges, FileDescription } from './file-records.js';

/** A description with changes applied. Throws `INVALID_ARGUMENT` beyond a limit. */
export function changedDescription(
  {
    tags,
    metadata,
    accessPolicies,
    expiresAt,
  }: Omit<FileDescription, 'expiresAt'> & { readonly expiresAt?: string | undefined },
  changes: FileChanges,
): FileDescription {
  return {
    tags: changedTags(tags, changes.tags),
    metadata: changedMetadata(metadata, changes.metadata),
    accessPolicies: changes.accessPolicies ?? accessPolicies,
    expiresAt: changes.expiresAt === undefined ? expiresAt : (changes.expiresAt ?? undefined),
  };
}
