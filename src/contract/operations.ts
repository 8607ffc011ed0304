import type { Metadata, Tags } from '../domain/passage.js';
import type { TagFilter } from '../domain/tag-filter.js';
import type { Bot } from './bots.js';
import type { SearchFilesRequest, SearchFilesResponse } from './search-files.js';

/** A page of a longer list: `nextToken` asks for the next, and is missing on the last. */
export interface PageMeta {
  readonly nextToken?: string;
}

export type FileStatus =
  | 'upload_pending'
  | 'upload_failed'
  | 'upload_completed'
  | 'indexing_pending'
  | 'indexing_failed'
  | 'indexing_completed';

/** A file as file operations answer it. */
export interface File {
  /** `file_` and a ULID. */
  readonly id: string;
  readonly botId: string;
  readonly key: string;
  /** Where its content is read, by who may search it. */
  readonly url: string;
  /** Bytes; null until it is uploaded. */
  readonly size: number | null;
  readonly contentType: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly accessPolicies: readonly string[];
  /** Whether it is to be searched. */
  readonly index: boolean;
  readonly status: FileStatus;
  readonly failedStatusReason?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly owner: { readonly type: 'bot' | 'integration' | 'user'; readonly id?: string; readonly name?: string };
}

export interface ListFilesRequest {
  readonly nextToken?: string | undefined;
  /** 1 to 100; 20 unless given. */
  readonly pageSize?: number | undefined;
  /** `createdAt` unless given. */
  readonly sortField?: 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status' | undefined;
  /** `desc` unless given. */
  readonly sortDirection?: 'asc' | 'desc' | undefined;
  readonly tags?: TagFilter | undefined;
  /** At most 50. */
  readonly ids?: readonly string[] | undefined;
  /** Only those that are searched, or those that are not. */
  readonly indexed?: boolean | undefined;
}

export interface UpsertFileRequest {
  readonly key: string;
  /** Bytes of the content that is to be uploaded. */
  readonly size: number;
  readonly tags?: Tags | undefined;
  readonly metadata?: Metadata | undefined;
  /** By the key's ending unless given. */
  readonly contentType?: string | undefined;
  /** Whether it is to be searched; false unless given. */
  readonly index?: boolean | undefined;
  readonly accessPolicies?: readonly string[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

export interface UpdateFileMetadataRequest {
  /** Id or key. */
  readonly id: string;
  /** Patched; null deletes a tag. */
  readonly tags?: Readonly<Record<string, string | null>> | undefined;
  /** Patched; null deletes a field. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly accessPolicies?: readonly string[] | undefined;
  /** ISO 8601; null for never. */
  readonly expiresAt?: string | null | undefined;
}

/** A passage of a file, as it is listed. */
export interface FilePassage {
  readonly id: string;
  readonly content: string;
  readonly meta: SearchFilesResponse['passages'][number]['meta'];
}

export interface PassageToSet {
  readonly content: string;
  readonly type?: string | undefined;
  readonly pageNumber?: number | undefined;
}

/** What the files of one bot are asked and told, in process or over HTTP. */
export interface FileOperations {
  searchFiles(request: SearchFilesRequest): Promise<SearchFilesResponse>;
  listFiles(request?: ListFilesRequest): Promise<{ readonly files: readonly File[]; readonly meta: PageMeta }>;
  /** `id` is an id or a key here and below. Throws `FILE_MISSING`. */
  getFile(request: { readonly id: string }): Promise<{ readonly file: File }>;
  /** Puts a file's content and waits until it is stored; it is indexed afterwards: see its `status`. */
  uploadFile(
    request: Omit<UpsertFileRequest, 'size'> & { readonly content: string | Uint8Array },
  ): Promise<{ readonly file: File }>;
  updateFileMetadata(request: UpdateFileMetadataRequest): Promise<{ readonly file: File }>;
  deleteFile(request: { readonly id: string }): Promise<Record<string, never>>;
  listFilePassages(request: {
    readonly id: string;
    /** 1 to 200; 20 unless given. */
    readonly limit?: number | undefined;
    readonly nextToken?: string | undefined;
  }): Promise<{ readonly passages: readonly FilePassage[]; readonly meta: PageMeta }>;
  /** Puts passages in place of those that were cut, in document order. */
  setFilePassages(request: {
    readonly id: string;
    readonly passages: readonly PassageToSet[];
  }): Promise<Record<string, never>>;
  listFileTags(request?: {
    readonly nextToken?: string | undefined;
  }): Promise<{ readonly tags: readonly string[]; readonly meta: PageMeta }>;
  listFileTagValues(request: {
    readonly tag: string;
    readonly nextToken?: string | undefined;
  }): Promise<{ readonly values: readonly string[]; readonly meta: PageMeta }>;
}

export interface ListBotsRequest {
  readonly nextToken?: string | undefined;
  /** 1 to 100; 20 unless given. */
  readonly pageSize?: number | undefined;
  /** `createdAt` unless given. */
  readonly sortField?: 'createdAt' | 'updatedAt' | undefined;
  /** `desc` unless given. */
  readonly sortDirection?: 'asc' | 'desc' | undefined;
  readonly tags?: Tags | undefined;
  readonly dev?: boolean | undefined;
}

/** What a workspace is asked about its bots, in process or over HTTP. */
export interface BotOperations {
  listBots(request?: ListBotsRequest): Promise<{ readonly bots: readonly Bot[]; readonly meta: PageMeta }>;
  /** Throws `BOT_MISSING`. */
  getBot(request: { readonly id: string }): Promise<{ readonly bot: Bot }>;
}
