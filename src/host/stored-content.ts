import { WaymarkError } from '../domain/errors.js';
import { formats } from '../formats/formats.js';
import type { ByteRange, FileContent } from '../storage/contents.js';
import type { FileRecord } from '../storage/file-records.js';

/** The content of a file. */
export interface StoredContent {
  readonly id: string;
  readonly key: string;
  /** Identifies these bytes among all contents that the file has had. */
  readonly version: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Whether all of it is UTF-8; undefined for an upload that an earlier version stored. */
  readonly isUtf8: boolean | undefined;
  /**
   * Reads it, a part at a time: as uploaded, or the text of a file that was indexed without an upload. Defaults to all
   * of it. Throws `FILE_MISSING` if the content is replaced or deleted meanwhile, unless it is small, and
   * `DATABASE_DAMAGED`.
   */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
  /** All of it. Throws as `read` does. */
  bytes(): Promise<Uint8Array>;
}

/** The content of a file. Throws `FILE_MISSING` if it is not uploaded yet. */
export function contentOf({ id, key, contentType }: FileRecord, content: FileContent | undefined): StoredContent {
  if (!content) throw notUploaded(key);
  const { version, size, isText, isUtf8 } = content;
  // This text was extracted from a file of a folder.
  const isExtracted = isText && formats.ofContentType(contentType)?.extractor !== undefined;
  return {
    ...{ id, key, version, size, isUtf8, contentType: isExtracted ? 'text/plain' : contentType },
    read: (range) => content.read(range),
    bytes: () => bytesOf(content),
  };
}

/** All bytes of a content. Throws as `FileContent.read` does. */
export async function bytesOf(content: FileContent): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of content.read()) parts.push(part);
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/** The error for a file whose content has not arrived. */
function notUploaded(key: string): WaymarkError {
  return new WaymarkError('FILE_MISSING', `The content of "${key}" is not uploaded yet: PUT it to its uploadUrl.`);
}
