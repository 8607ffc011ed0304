import { WaymarkError } from '../domain/errors.js';
import { formats } from '../formats/formats.js';
import type { FileRecord, FileRecords } from '../storage/file-records.js';

/** The content of a file. */
export interface StoredContent {
  readonly id: string;
  readonly key: string;
  /** Grows with every change of the file. */
  readonly version: number;
  readonly contentType: string;
  /** As uploaded, or the text of a file that was indexed without an upload. */
  readonly bytes: Uint8Array;
}

/** The content of a file. Throws `FILE_MISSING` if it is not uploaded yet. */
export async function contentOf(
  records: FileRecords,
  { id, key, version, contentType }: FileRecord,
): Promise<StoredContent> {
  const content = await records.content(id);
  if (!content) throw notUploaded(key);
  const { bytes, isText } = content;
  // What was extracted from a file of a folder.
  const isExtracted = isText && formats.ofContentType(contentType)?.extractor !== undefined;
  return { id, key, version, contentType: isExtracted ? 'text/plain' : contentType, bytes };
}

/** The error for a file whose content has not arrived. */
export function notUploaded(key: string): WaymarkError {
  return new WaymarkError('FILE_MISSING', `The content of "${key}" is not uploaded yet: PUT it to its uploadUrl.`);
}
