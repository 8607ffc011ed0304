import type { Bot } from '../contract/bots.js';
import type { BotOperations, File, FileOperations, FilePassage } from '../contract/operations.js';
import { type CallOptions, validateCallOptions } from './call-options.js';
import * as calls from './calls.js';
import type { Call, Connection } from './connection.js';
import { bytesOf } from './content.js';
import type { AnswerOf, RequestOf } from './operation.js';
import { type Each, eachOf } from './pages.js';

/**
 * The files of one bot and the bots of one workspace, over HTTP: asked and told as in process. Every method throws
 * `INVALID_ARGUMENT` before anything is sent, and `UNAUTHORIZED`, `FORBIDDEN`, `BOT_MISSING`, `RATE_LIMITED`,
 * `SERVER_FAILED`, `CONNECTION_FAILED`, `RESPONSE_INVALID`, `ABORTED`; those about one file also `FILE_MISSING`. What
 * begins with `each` goes through all pages of a list: a page is fetched when the one before is used up, and none after a
 * `break`.
 */
export class WaymarkClient implements FileOperations, BotOperations {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async searchFiles(request: RequestOf<'searchFiles'>, options?: CallOptions): Promise<AnswerOf<'searchFiles'>> {
    return this.#ask(calls.searchFiles(request), options);
  }

  async listFiles(request: RequestOf<'listFiles'> = {}, options?: CallOptions): Promise<AnswerOf<'listFiles'>> {
    const call = calls.listFiles(request);
    // On the wire a list of none is no list, and would ask for all.
    if (request.ids?.length === 0) return { files: [], meta: {} };
    return this.#ask(call, options);
  }

  eachFile(request: RequestOf<'listFiles'> = {}, options?: CallOptions): Each<File> {
    return eachOf(request, { page: (one) => this.listFiles(one, options), items: ({ files }) => files });
  }

  async getFile(request: RequestOf<'getFile'>, options?: CallOptions): Promise<AnswerOf<'getFile'>> {
    return this.#ask(calls.getFile(request), options);
  }

  /** Three requests: for an address, of the content, for the file as it is then. Throws `UPLOAD_MISSING`. */
  async uploadFile(request: RequestOf<'uploadFile'>, options?: CallOptions): Promise<AnswerOf<'uploadFile'>> {
    const bytes = bytesOf(request?.content);
    const { file } = await this.#ask(calls.upsertFile({ ...request, size: bytes.length }), options);
    const { id, uploadUrl, contentType } = file;
    await this.#connection.upload(uploadUrl, { ...options, bytes, contentType });
    return this.getFile({ id }, options);
  }

  async updateFileMetadata(
    request: RequestOf<'updateFileMetadata'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'updateFileMetadata'>> {
    return this.#ask(calls.updateFileMetadata(request), options);
  }

  async deleteFile(request: RequestOf<'deleteFile'>, options?: CallOptions): Promise<AnswerOf<'deleteFile'>> {
    return this.#ask(calls.deleteFile(request), options);
  }

  async listFilePassages(
    request: RequestOf<'listFilePassages'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listFilePassages'>> {
    return this.#ask(calls.listFilePassages(request), options);
  }

  eachFilePassage(request: RequestOf<'listFilePassages'>, options?: CallOptions): Each<FilePassage> {
    return eachOf(request, { page: (one) => this.listFilePassages(one, options), items: ({ passages }) => passages });
  }

  async setFilePassages(
    request: RequestOf<'setFilePassages'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'setFilePassages'>> {
    return this.#ask(calls.setFilePassages(request), options);
  }

  async listFileTags(
    request: RequestOf<'listFileTags'> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<'listFileTags'>> {
    return this.#ask(calls.listFileTags(request), options);
  }

  eachFileTag(request: RequestOf<'listFileTags'> = {}, options?: CallOptions): Each<string> {
    return eachOf(request, { page: (one) => this.listFileTags(one, options), items: ({ tags }) => tags });
  }

  async listFileTagValues(
    request: RequestOf<'listFileTagValues'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listFileTagValues'>> {
    return this.#ask(calls.listFileTagValues(request), options);
  }

  eachFileTagValue(request: RequestOf<'listFileTagValues'>, options?: CallOptions): Each<string> {
    return eachOf(request, { page: (one) => this.listFileTagValues(one, options), items: ({ values }) => values });
  }

  async listBots(request: RequestOf<'listBots'> = {}, options?: CallOptions): Promise<AnswerOf<'listBots'>> {
    return this.#ask(calls.listBots(request), options);
  }

  eachBot(request: RequestOf<'listBots'> = {}, options?: CallOptions): Each<Bot> {
    return eachOf(request, { page: (one) => this.listBots(one, options), items: ({ bots }) => bots });
  }

  async getBot(request: RequestOf<'getBot'>, options?: CallOptions): Promise<AnswerOf<'getBot'>> {
    return this.#ask(calls.getBot(request), options);
  }

  #ask<Body>(call: Call<Body>, options: CallOptions = {}): Promise<Body> {
    return this.#connection.ask(call, validateCallOptions(options));
  }
}
