import { LIMITS } from '../domain/limits.js';
import { GIVEN } from '../indexing/pipeline.js';
import type { GivenPassage } from '../indexing/set-passages.js';
import { type FileRecord, type FileRecords, type FileToUpload, OUTDATED_STATUSES } from '../storage/file-records.js';
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

/** A copy of a file, under another key. Throws `FILE_MISSING` if its content is not uploaded yet. */
export async function copyOf(
  record: FileRecord,
  { key, records, engine }: { key: string; records: FileRecords; engine: WithEngine },
): Promise<FileCopy> {
  const { id, status, index, accessPolicies, expiresAt } = record;
  const content = await contentOf(records, record);
  const { contentType, size } = content;
  const file = { ...keptFields(record), key, contentType, size, index, accessPolicies, expiresAt };
  const isSet = index && !OUTDATED_STATUSES.includes(status) && record.pipeline === GIVEN;
  if (!isSet) return { file, content, passages: undefined };
  const passages = await engine((bot) => bot.passagesOf(id, { from: 0, to: LIMITS.passages.value }));
  const given = passages.map(({ content, subtype, pageNumber: page }) => ({ content, subtype, page }));
  return { file, content, passages: given };
}
