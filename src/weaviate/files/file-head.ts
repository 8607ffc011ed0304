import type { FileSummary } from '../../domain/passage.js';
import type { FileState } from '../../storage/copies.js';
import { type FileChanges, hasExpired, OUTDATED_STATUSES } from '../../storage/file-records.js';
import type { StoredFile } from '../../storage/passage-store.js';

/** Where the bytes of an uploaded file are. */
export interface HeadContent {
  /** Of the pieces in the collection of contents. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly isUtf8: boolean;
}

/** How the description of a file has been changed since an upload of it was announced. */
export interface AnnouncedUpload {
  /** That of the address. */
  readonly hash: string;
  /** Until when the address, and an upload that began in time, may need the changes: milliseconds since the epoch. */
  readonly until: number;
  readonly changes: FileChanges;
}

/**
 * Everything about a file except its text, passages and content. It is one object, and it decides: passages, texts and
 * contents that it does not name belong to no file.
 */
export interface FileHead extends FileState {
  /** Names the text and the passages that searches find; null until the file is indexed. */
  readonly generation: string | null;
  /** What was uploaded; null if that is the indexed text, or if nothing was. */
  readonly content: HeadContent | null;
  /** The uploads that are announced; missing in the heads of earlier versions. */
  readonly announced?: readonly AnnouncedUpload[];
}

/** Whether the passages of a file, if it has any, are those of a content that has been replaced. */
export function isOutdated({ status }: Pick<FileHead, 'status'>): boolean {
  return OUTDATED_STATUSES.includes(status);
}

/** Whether searches find the passages of a file: not once it has expired, or while its content is replaced. */
export function isSearched(head: FileHead, now = Date.now()): boolean {
  return head.generation !== null && !isOutdated(head) && !hasExpired(head, now);
}

/** Whether the passages of a file are found by other tags or names in one state than in another. */
export function isFoundByOther(a: FileHead, b: FileHead): boolean {
  const findable = ({ tags, metadata }: FileHead) => JSON.stringify([Object.entries(tags).sort(), metadata]);
  return findable(a) !== findable(b);
}

/** The state of a file, as the indexing compares it. */
export function storedFileOf(head: FileHead): StoredFile {
  const { id, version, key, folder, size, mtime, ctime, inode, pipeline, indexedAt } = head;
  const hash = head.status === 'indexing_completed' ? head.hash : '';
  return { id, version, key, folder, size, mtime, ctime, inode, hash, pipeline, indexedAt };
}

/** A file as searches show it. */
export function summaryOf({ id, key, contentType, metadata, tags, createdAt, updatedAt }: FileHead): FileSummary {
  return { id, key, contentType, metadata, tags, createdAt, updatedAt };
}
