import { validateCall } from '../contract/abortable.js';
import type { BotOperations } from '../contract/bot-operations.js';
import type { FileOperations } from '../contract/file-operations.js';
import type { HttpOperation, RequestOf, ResponseOf } from '../contract/operation.js';
import type { Bot } from '../contract/operations/bots.js';
import { type File, uploadFile } from '../contract/operations/files.js';
import { OPERATIONS, type RequestFor, type ResponseFor } from '../contract/operations/index.js';
import type { StoredKnowledgeBase } from '../contract/operations/knowledge-bases.js';
import type { FilePassage } from '../contract/operations/passages.js';
import { validateRequest } from '../contract/validate.js';
import type { WorkspaceOperations } from '../contract/workspace-operations.js';
import type { Abortable } from '../domain/abortable.js';
import type { Connection } from './connection.js';
import { type Each, eachOf } from './pages.js';

/**
 * The files of one bot, and a workspace with its bots, over HTTP, with the methods that they have in process. Every
 * method throws `INVALID_ARGUMENT` before anything is sent, and `UNAUTHORIZED`, `FORBIDDEN`, `BOT_MISSING`,
 * `RATE_LIMITED`, `BUSY`, `SERVER_FAILED`, `CONNECTION_FAILED`, `RESPONSE_INVALID`, `ABORTED`; those on one file also
 * `FILE_MISSING`. Methods named `each…` iterate over all pages of a list: each page is fetched once the previous one is
 * consumed, and none after a `break`.
 */
export class WaymarkClient implements FileOperations, BotOperations, WorkspaceOperations {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async searchFiles(request: RequestFor<'searchFiles'>, options?: Abortable): Promise<ResponseFor<'searchFiles'>> {
    return this.#call(OPERATIONS.searchFiles, request, options);
  }

  async listFiles(request: RequestFor<'listFiles'> = {}, options: Abortable = {}): Promise<ResponseFor<'listFiles'>> {
    // A query string cannot represent an empty list: the request would list all files.
    const { ids } = validateCall(OPERATIONS.listFiles, request, options);
    return ids?.length === 0 ? { files: [], meta: {} } : this.#call(OPERATIONS.listFiles, request, options);
  }

  /** All files, page by page as they are consumed. */
  eachFile(request: RequestFor<'listFiles'> = {}, options?: Abortable): Each<File> {
    return eachOf(request, { page: (each) => this.listFiles(each, options), items: ({ files }) => files });
  }

  /** A file by id or key. Throws `FILE_MISSING`. */
  async getFile(request: RequestFor<'getFile'>, options?: Abortable): Promise<ResponseFor<'getFile'>> {
    return this.#call(OPERATIONS.getFile, request, options);
  }

  /** Sends three requests: for an address, with the content, and for the stored file. Throws `UPLOAD_MISSING`. */
  async uploadFile(request: RequestOf<typeof uploadFile>, options?: Abortable): Promise<ResponseOf<typeof uploadFile>> {
    const { content, ...description } = validateRequest(uploadFile, request);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
    const { file } = await this.#call(OPERATIONS.upsertFile, { ...description, size: bytes.length }, options);
    await this.#connection.upload(file.uploadUrl, { ...options, bytes, contentType: file.contentType });
    return this.getFile({ id: file.id }, options);
  }

  async updateFileMetadata(
    request: RequestFor<'updateFileMetadata'>,
    options?: Abortable,
  ): Promise<ResponseFor<'updateFileMetadata'>> {
    return this.#call(OPERATIONS.updateFileMetadata, request, options);
  }

  /** Copies a file; `destinationBotId` is an id. Throws `FILE_MISSING`, `FILE_EXISTS`, `BOT_MISSING`. */
  async copyFile(request: RequestFor<'copyFile'>, options?: Abortable): Promise<ResponseFor<'copyFile'>> {
    return this.#call(OPERATIONS.copyFile, request, options);
  }

  /** Deletes a file by id or key. Throws `FILE_MISSING`. */
  async deleteFile(request: RequestFor<'deleteFile'>, options?: Abortable): Promise<ResponseFor<'deleteFile'>> {
    return this.#call(OPERATIONS.deleteFile, request, options);
  }

  async listFilePassages(
    request: RequestFor<'listFilePassages'>,
    options?: Abortable,
  ): Promise<ResponseFor<'listFilePassages'>> {
    return this.#call(OPERATIONS.listFilePassages, request, options);
  }

  /** All passages of a file, page by page as they are consumed. */
  eachFilePassage(request: RequestFor<'listFilePassages'>, options?: Abortable): Each<FilePassage> {
    return eachOf(request, { page: (each) => this.listFilePassages(each, options), items: ({ passages }) => passages });
  }

  async setFilePassages(
    request: RequestFor<'setFilePassages'>,
    options?: Abortable,
  ): Promise<ResponseFor<'setFilePassages'>> {
    return this.#call(OPERATIONS.setFilePassages, request, options);
  }

  async listFileTags(
    request: RequestFor<'listFileTags'> = {},
    options?: Abortable,
  ): Promise<ResponseFor<'listFileTags'>> {
    return this.#call(OPERATIONS.listFileTags, request, options);
  }

  /** All tag names, page by page as they are consumed. */
  eachFileTag(request: RequestFor<'listFileTags'> = {}, options?: Abortable): Each<string> {
    return eachOf(request, { page: (each) => this.listFileTags(each, options), items: ({ tags }) => tags });
  }

  async listFileTagValues(
    request: RequestFor<'listFileTagValues'>,
    options?: Abortable,
  ): Promise<ResponseFor<'listFileTagValues'>> {
    return this.#call(OPERATIONS.listFileTagValues, request, options);
  }

  /** All values of a tag, page by page as they are consumed. */
  eachFileTagValue(request: RequestFor<'listFileTagValues'>, options?: Abortable): Each<string> {
    return eachOf(request, { page: (each) => this.listFileTagValues(each, options), items: ({ values }) => values });
  }

  async listKnowledgeBases(
    request: RequestFor<'listKnowledgeBases'> = {},
    options?: Abortable,
  ): Promise<ResponseFor<'listKnowledgeBases'>> {
    return this.#call(OPERATIONS.listKnowledgeBases, request, options);
  }

  /** All knowledge bases, page by page as they are consumed. */
  eachKnowledgeBase(request: RequestFor<'listKnowledgeBases'> = {}, options?: Abortable): Each<StoredKnowledgeBase> {
    const items = ({ knowledgeBases }: ResponseFor<'listKnowledgeBases'>) => knowledgeBases;
    return eachOf(request, { page: (each) => this.listKnowledgeBases(each, options), items });
  }

  async createKnowledgeBase(
    request: RequestFor<'createKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'createKnowledgeBase'>> {
    return this.#call(OPERATIONS.createKnowledgeBase, request, options);
  }

  async updateKnowledgeBase(
    request: RequestFor<'updateKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'updateKnowledgeBase'>> {
    return this.#call(OPERATIONS.updateKnowledgeBase, request, options);
  }

  /** Deletes a knowledge base and its files. Throws `KNOWLEDGE_BASE_MISSING`. */
  async deleteKnowledgeBase(
    request: RequestFor<'deleteKnowledgeBase'>,
    options?: Abortable,
  ): Promise<ResponseFor<'deleteKnowledgeBase'>> {
    return this.#call(OPERATIONS.deleteKnowledgeBase, request, options);
  }

  async listBots(request: RequestFor<'listBots'> = {}, options?: Abortable): Promise<ResponseFor<'listBots'>> {
    return this.#call(OPERATIONS.listBots, request, options);
  }

  /** All bots, page by page as they are consumed. */
  eachBot(request: RequestFor<'listBots'> = {}, options?: Abortable): Each<Bot> {
    return eachOf(request, { page: (each) => this.listBots(each, options), items: ({ bots }) => bots });
  }

  async createBot(request: RequestFor<'createBot'> = {}, options?: Abortable): Promise<ResponseFor<'createBot'>> {
    return this.#call(OPERATIONS.createBot, request, options);
  }

  async getBot(request: RequestFor<'getBot'>, options?: Abortable): Promise<ResponseFor<'getBot'>> {
    return this.#call(OPERATIONS.getBot, request, options);
  }

  async updateBot(request: RequestFor<'updateBot'>, options?: Abortable): Promise<ResponseFor<'updateBot'>> {
    return this.#call(OPERATIONS.updateBot, request, options);
  }

  /** Deletes a bot with its files. Throws `BOT_MISSING`. */
  async deleteBot(request: RequestFor<'deleteBot'>, options?: Abortable): Promise<ResponseFor<'deleteBot'>> {
    return this.#call(OPERATIONS.deleteBot, request, options);
  }

  /** The workspace of the token. */
  async listWorkspaces(
    request: RequestFor<'listWorkspaces'> = {},
    options?: Abortable,
  ): Promise<ResponseFor<'listWorkspaces'>> {
    return this.#call(OPERATIONS.listWorkspaces, request, options);
  }

  async getWorkspace(request: RequestFor<'getWorkspace'>, options?: Abortable): Promise<ResponseFor<'getWorkspace'>> {
    return this.#call(OPERATIONS.getWorkspace, request, options);
  }

  /** Renames the workspace of the token. Throws `WORKSPACE_MISSING`, `WORKSPACE_EXISTS`. */
  async updateWorkspace(
    request: RequestFor<'updateWorkspace'>,
    options?: Abortable,
  ): Promise<ResponseFor<'updateWorkspace'>> {
    return this.#call(OPERATIONS.updateWorkspace, request, options);
  }

  #call<Op extends HttpOperation>(operation: Op, request: RequestOf<Op>, options?: Abortable): Promise<ResponseOf<Op>> {
    return this.#connection.call(operation, validateRequest(operation, request), options);
  }
}
