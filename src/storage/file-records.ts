import type { TagFilter } from '../domain/filters/tag-filter.js';
import type { FileSummary, Metadata, Tags } from '../domain/passage.js';
import type { FileContent, StagedContent, UsedAddress } from './contents.js';
import type { AccessPolicy, FileAccess } from './file-access.js';
import type { Page, PageRequest } from './page.js';
import type { FileVersion } from './passage-store.js';

/** The states of an uploaded file, in their order; each step may fail. */
export const FILE_STATUSES = [
  'upload_pending',
  'upload_failed',
  'upload_completed',
  'indexing_pending',
  'indexing_failed',
  'indexing_completed',
] as const;

/** The state of an uploaded file. */
export type FileStatus = (typeof FILE_STATUSES)[number];

/** The states of a file whose passages, if it has any, are those of a content that has been replaced. */
export const OUTDATED_STATUSES: readonly FileStatus[] = ['indexing_pending', 'indexing_failed'];

/** A file as the file operations return it, indexed or not. */
export interface FileRecord extends FileSummary, FileVersion {
  /** Bytes; null until the content is uploaded. */
  readonly size: number | null;
  readonly accessPolicies: readonly AccessPolicy[];
  /** Whether the file is to be searched. */
  readonly index: boolean;
  /** The settings that the file was cut with; see `StoredFile`. */
  readonly pipeline: string;
  readonly status: FileStatus;
  readonly failedStatusReason?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly keepsDescription?: FileToUpload['keepsDescription'];
}

/** The fields that identify a file. */
export type FileIdentity = Pick<FileRecord, 'id' | 'key'>;

/** Whether a file has expired by `now`: it is then absent for every caller, and removed soon. */
export function hasExpired({ expiresAt }: { readonly expiresAt?: string | undefined }, now = Date.now()): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** A file that waits to be indexed. */
export interface PendingFile {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** A file whose content is still to be uploaded, as a caller announces it. */
export interface FileToUpload extends FileAccess {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly index: boolean;
  /**
   * Whether indexing the content leaves tags and metadata as they are: those of a copy contain what front matter gave
   * to the original. Defaults to false.
   */
  readonly keepsDescription?: boolean | undefined;
}

/** What a list of files can be sorted by. */
export const FILE_SORT_FIELDS = ['key', 'size', 'createdAt', 'updatedAt', 'status'] as const;

/** A field of a file that a list can be sorted by. Files of the same value have a fixed order. */
export type FileSortField = (typeof FILE_SORT_FIELDS)[number];

/** What describes a file, and can be changed without its content. */
export type FileDescription = Pick<FileToUpload, 'tags' | 'metadata' | 'accessPolicies' | 'expiresAt'>;

/** Changes to the description of a file. Missing fields stay as they are. */
export interface FileChanges {
  /** Null removes a tag. */
  readonly tags: Readonly<Record<string, string | null>>;
  /** Null removes a member. */
  readonly metadata: Metadata;
  readonly accessPolicies?: readonly AccessPolicy[] | undefined;
  /** ISO 8601; null for a file that no longer expires. */
  readonly expiresAt?: string | null | undefined;
}

/**
 * The records of one bot's files, for the file operations. All but `expired` leave out files that have expired. Methods
 * that return records throw `DATABASE_DAMAGED` for a row that is not as it was written.
 */
export interface FileRecords {
  /** By id, or by key if no file has that id. */
  find(idOrKey: string): Promise<FileRecord | undefined>;
  /** As `find`, but also for a file whose row is damaged: it can still be deleted. */
  identify(idOrKey: string): Promise<FileIdentity | undefined>;
  /** By key alone, which may be the id of another file. */
  withKey(key: string): Promise<FileRecord | undefined>;
  page(
    filter: {
      readonly tags: TagFilter;
      readonly ids: readonly string[] | undefined;
      readonly indexed: boolean | undefined;
    },
    page: PageRequest & { readonly sortField: FileSortField },
  ): Promise<Page<FileRecord>>;
  /** Whether a file waits to be indexed. */
  hasPending(): Promise<boolean>;
  /** Up to `limit` files that wait to be indexed, in ascending order of ids; only those with an id after `after`. */
  pending(page: { readonly after: string; readonly limit: number }): Promise<readonly PendingFile[]>;
  /** The content of a file; undefined if it has none yet. Throws `DATABASE_DAMAGED`. */
  content(id: string): Promise<FileContent | undefined>;
  /**
   * As `find`, with the content that the file has in that same state: another one may be for other readers. Undefined
   * also, and nothing is read, for a record that does not pass `isWanted`. Throws `DATABASE_DAMAGED`.
   */
  withContent(
    idOrKey: string,
    isWanted?: (record: FileRecord) => boolean,
  ): Promise<{ readonly record: FileRecord; readonly content: FileContent | undefined } | undefined>;
  /** Names of tags, or the values of `tag`, in ascending order; only those greater than `after` if it is given. */
  tags(options: {
    readonly tag?: string;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** The files that have expired. */
  expired(): Promise<readonly (FileVersion & { readonly key: string })[]>;

  /**
   * Announces a content. A file that has one stays as it is until then, except for its status; one that has none, or is
   * new, gets the description. With `address`, that accepts the content. Returns the file as it will be, without its
   * content. Does nothing and returns `expired` or `taken`, as `upsert`.
   */
  announce(
    file: FileToUpload,
    options?: { readonly address?: UploadAddress | undefined; readonly isNew?: boolean | undefined },
  ): Promise<FileRecord | 'expired' | 'taken'>;
  /**
   * Inserts or replaces a file with its content. It waits to be indexed until `PassageStore.put` puts it, and is found
   * by nothing meanwhile. Does nothing and returns `expired` while an expired file has the key, which is to be removed
   * first, or `taken` if a file has it and must be `isNew`.
   */
  upsert(
    file: FileToUpload,
    content: StagedContent,
    options?: { readonly isNew?: boolean | undefined },
  ): Promise<FileRecord | 'expired' | 'taken'>;
  /**
   * As `upsert`, for the file that was announced with an address, and closes the address. Throws `UPLOAD_MISSING` if
   * the address accepts no upload; nothing is changed then.
   */
  receive(address: UsedAddress, content: StagedContent): Promise<FileRecord>;
  /** Records a failure. Returns false, and does nothing, if the file has changed since `expected`. */
  fail(
    expected: FileVersion,
    failure: { readonly status: 'upload_failed' | 'indexing_failed'; readonly reason: string },
  ): Promise<boolean>;
  /**
   * Changes the description of a file, and of all contents that are announced for it. Throws `FILE_MISSING`,
   * `INVALID_ARGUMENT` beyond a limit.
   */
  patch(id: string, changes: FileChanges): Promise<FileRecord>;
}

/** An upload address that accepts a content. */
export interface UploadAddress {
  /** The hash of its secret. */
  readonly hash: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A file whose content was announced, with what has been changed since, and the state of the file as it is. */
export interface AnnouncedFile extends FileToUpload, FileVersion {
  readonly botId: string;
}

/** Milliseconds for which an expired address is kept, a day: an upload that began before may still be arriving. */
export const EXPIRED_ADDRESS_LIFETIME = 24 * 60 * 60_000;

/**
 * Maximum number of open addresses of a file: opening one more closes the oldest, since a change of the file changes
 * all of them.
 */
export const OPEN_ADDRESSES = 20;

/**
 * The addresses that `FileRecords.announce` has opened. Each accepts one upload of what was announced with it, until it
 * expires, or the file is deleted or expires.
 */
export interface UploadAddresses {
  /** The file of an address; undefined for an address that accepts no upload. */
  find(address: UsedAddress): Promise<AnnouncedFile | undefined>;
}
