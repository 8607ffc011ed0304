import type { Abortable } from '../domain/abortable.js';
import { LIMITS } from '../domain/limits.js';
import { GIVEN } from '../indexing/pipeline.js';
import type { GivenPassage } from '../indexing/set-passages.js';
import type { FileContent } from '../storage/contents.js';
import { type FileRecord, type FileRecords, type FileToUpload, OUTDATED_STATUSES } from '../storage/file-records.js';
import { isSameVersion } from '../storage/passage-store.js';
import type { WithEngine } from './bot-engines.js';
import { keptFields } from './description.js';
import { contentOf, type StoredContent } from './stored-content.js';

/** What a copy of a file is made of. */
export interface FileCopy {
  readonly file: FileToUpload;
  readonly content: StoredContent;
  /** Those that a caller had set; undefined for a file that a parser cuts. */
  readonly passages: readonly GivenPassage[] | undefined;
}

/** Reads a file with the content that it has in that state. */
type Read = () => Promise<{ readonly record: FileRecord; readonly content: FileContent | undefined }>;

/**
 * A copy of a file in one of its states, under another key. Throws `ABORTED`, what `read` does, and `FILE_MISSING` if
 * its content is not uploaded yet.
 */
export async function copyOf(
  read: Read,
  { key, records, engine, signal }: Abortable & { key: string; records: FileRecords; engine: WithEngine },
): Promise<FileCopy> {
  for (;;) {
    const found = await read();
    const { record } = found;
    const { id, status, index, accessPolicies, expiresAt } = record;
    const content = contentOf(record, found.content);
    const { contentType, size } = content;
    const isIndexed = index && !OUTDATED_STATUSES.includes(status);
    const keepsDescription = isIndexed || record.keepsDescription;
    const file = { ...keptFields(record), key, contentType, size, index, accessPolicies, expiresAt, keepsDescription };
    if (!isIndexed || record.pipeline !== GIVEN) return { file, content, passages: undefined };
    const passages = await engine((bot) => bot.passagesOf(id, { from: 0, to: LIMITS.passages.value, signal }), {
      signal,
    });
    // Passages of another state may be for other readers.
    if (!isSameVersion(await records.withKey(record.key), record)) continue;
    const given = passages.map(({ content, subtype, pageNumber: page }) => ({ content, subtype, page }));
    return { file, content, passages: given };
  }
}
