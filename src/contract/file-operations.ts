import type { Abortable } from '../domain/abortable.js';
import type { File, ListFilesRequest, UpdateFileMetadataRequest, UploadFileRequest } from './operations/files.js';
import type { RequestFor, ResponseFor } from './operations/index.js';
import type { SearchFilesRequest, SearchFilesResponse } from './operations/search.js';

/**
 * The operations on the files of one bot, in process or over HTTP. `id` is a file's id or key. All throw
 * `INVALID_ARGUMENT`, those on one file `FILE_MISSING`, and all `ABORTED` once the `signal` has fired.
 */
export interface FileOperations {
  /** The passages that best match a query. */
  searchFiles(request: SearchFilesRequest, options?: Abortable): Promise<SearchFilesResponse>;
  /** A page of files. */
  listFiles(request?: ListFilesRequest, options?: Abortable): Promise<ResponseFor<'listFiles'>>;
  /** A file by id or key. Throws `FILE_MISSING`. */
  getFile(request: RequestFor<'getFile'>, options?: Abortable): Promise<ResponseFor<'getFile'>>;
  /** Uploads a file and waits until it is stored; it is indexed in the background: see its `status`. */
  uploadFile(request: UploadFileRequest, options?: Abortable): Promise<{ readonly file: File }>;
  /** Changes tags and metadata: null deletes a field, and fields not named stay. */
  updateFileMetadata(
    request: UpdateFileMetadataRequest,
    options?: Abortable,
  ): Promise<ResponseFor<'updateFileMetadata'>>;
  /** Copies a file, within its bot or to another one. Throws `FILE_MISSING`, `FILE_EXISTS`, `BOT_MISSING`. */
  copyFile(request: RequestFor<'copyFile'>, options?: Abortable): Promise<ResponseFor<'copyFile'>>;
  /** Deletes a file by id or key. Throws `FILE_MISSING`. */
  deleteFile(request: RequestFor<'deleteFile'>, options?: Abortable): Promise<ResponseFor<'deleteFile'>>;
  /** A page of a file's passages, in document order. */
  listFilePassages(
    request: RequestFor<'listFilePassages'>,
    options?: Abortable,
  ): Promise<ResponseFor<'listFilePassages'>>;
  /** Replaces the passages of a file, in document order. */
  setFilePassages(request: RequestFor<'setFilePassages'>, options?: Abortable): Promise<ResponseFor<'setFilePassages'>>;
  /** A page of the names of all tags. */
  listFileTags(request?: RequestFor<'listFileTags'>, options?: Abortable): Promise<ResponseFor<'listFileTags'>>;
  /** A page of the values of a tag. */
  listFileTagValues(
    request: RequestFor<'listFileTagValues'>,
    options?: Abortable,
  ): Promise<ResponseFor<'listFileTagValues'>>;
  /** A page of knowledge bases, newest first. */
  listKnowledgeBases(
    request?: RequestFor<'listKnowledgeBases'>,
    options?: Abortable,
  ): Promise<ResponseFor<'listKnowledgeBases'>>;
  /** Creates a group of files, which have its id as their tag `kbId`. */
  createKnowledgeBase(
    request: RequestFor<'createKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'createKnowledgeBase'>>;
  /** Changes name and tags: null deletes a tag, and tags not named stay. Throws `KNOWLEDGE_BASE_MISSING`. */
  updateKnowledgeBase(
    request: RequestFor<'updateKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'updateKnowledgeBase'>>;
  /** Deletes a knowledge base and its files. Throws `KNOWLEDGE_BASE_MISSING`. */
  deleteKnowledgeBase(
    request: RequestFor<'deleteKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'deleteKnowledgeBase'>>;
}
