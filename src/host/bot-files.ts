import { validateCall, validateSignal } from '../contract/abortable.js';
import { uploadPath } from '../contract/byte-routes.js';
import type { FileOperations } from '../contract/file-operations.js';
import {
  type File,
  type ListFilesRequest,
  type UpdateFileMetadataRequest,
  type UploadFileRequest,
  uploadFile,
} from '../contract/operations/files.js';
import { OPERATIONS, type RequestFor, type ResponseFor } from '../contract/operations/index.js';
import type { SearchFilesRequest, SearchFilesResponse } from '../contract/operations/search.js';
import { shown } from '../contract/validate.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import type { BotRecord } from '../storage/accounts.js';
import type { AnnouncedFile, FileRecord, FileRecords } from '../storage/file-records.js';
import type { Storage } from '../storage/storage.js';
import type { BotEngines, WithEngine } from './bot-engines.js';
import { BotIndex } from './bot-index.js';
import type { ContentAddresses, Signature } from './content-addresses.js';
import { described, keptFields } from './description.js';
import { copyOf } from './file-copy.js';
import { KnowledgeBaseFiles } from './knowledge-base-files.js';
import { type PassageRange, passagePage, tagPage } from './pages.js';
import { contentOf, type StoredContent } from './stored-content.js';
import { type Arriving, FileUploads } from './uploads/file-uploads.js';
import { UploadIndexer } from './uploads/upload-indexer.js';
import type { UploadQueue } from './uploads/upload-queue.js';

/** What the operations on a bot's files work on. */
export interface BotFilesParts {
  readonly bot: BotRecord;
  readonly storage: Storage;
  readonly addresses: ContentAddresses;
  readonly queue: UploadQueue;
  readonly engine: WithEngine;
  readonly engines: Pick<BotEngines, 'turn' | 'watch'>;
  /** The files of any bot, by its id or name. Throws `BOT_MISSING`. */
  readonly botFiles: (id: string, options: Abortable) => Promise<BotFiles>;
}

/** The operations on the files of one bot, in process. */
export class BotFiles implements FileOperations {
  /** What the index of the bot holds. */
  readonly index: BotIndex;
  /** @internal */
  readonly uploads: FileUploads;
  readonly #engine: WithEngine;
  readonly #engines: BotFilesParts['engines'];
  readonly #bot: BotRecord;
  readonly #storage: Storage;
  readonly #addresses: ContentAddresses;
  readonly #botFiles: BotFilesParts['botFiles'];
  readonly #records: FileRecords;
  readonly #knowledgeBases: KnowledgeBaseFiles;

  /** @internal */
  static async open(parts: BotFilesParts): Promise<BotFiles> {
    const { bot, storage, queue, engine } = parts;
    const botId = bot.id;
    const records = await storage.fileRecords(botId);
    const indexer = new UploadIndexer({ botId, bots: storage.accounts.bots, records, engine, queue });
    const uploads = new FileUploads({ botId, storage, records, indexer, queue, engine });
    const bases = await storage.knowledgeBases(botId);
    const knowledgeBases = new KnowledgeBaseFiles({ bases, records, engine, sync: () => storage.sync() });
    return new BotFiles(parts, { records, uploads, knowledgeBases });
  }

  private constructor(
    { engine, engines, bot, storage, addresses, botFiles }: BotFilesParts,
    {
      records,
      uploads,
      knowledgeBases,
    }: { records: FileRecords; uploads: FileUploads; knowledgeBases: KnowledgeBaseFiles },
  ) {
    this.index = new BotIndex(engine, (options) => engines.watch(bot, options));
    this.#engine = engine;
    this.#engines = engines;
    this.#bot = bot;
    this.#storage = storage;
    this.#addresses = addresses;
    this.#botFiles = botFiles;
    this.#records = records;
    this.uploads = uploads;
    this.#knowledgeBases = knowledgeBases;
  }

  /** The contract's file search. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
  async searchFiles(request: SearchFilesRequest, options: Abortable = {}): Promise<SearchFilesResponse> {
    await this.#engines.turn(this.#bot.id, validateSignal(options));
    return this.#engine((engine) => engine.searchFiles(request, options), options);
  }

  /** A page of files. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async listFiles(request: ListFilesRequest = {}, options: Abortable = {}): Promise<ResponseFor<'listFiles'>> {
    const { tags = {}, ids, indexed, pageSize, ...order } = validateCall(OPERATIONS.listFiles, request, options);
    await this.#check(options);
    const { sortField, sortDirection: direction, nextToken } = order;
    const page = { size: pageSize, direction, nextToken, sortField };
    const { items, ...meta } = await this.#records.page({ tags, ids, indexed }, page);
    return { files: items.map((record) => this.#fileOf(record)), meta };
  }

  /** A file by id or key. Throws `FILE_MISSING`. */
  async getFile(request: RequestFor<'getFile'>, options: Abortable = {}): Promise<ResponseFor<'getFile'>> {
    const { id } = validateCall(OPERATIONS.getFile, request, options);
    return { file: this.#fileOf(await this.#find(id, options)) };
  }

  /**
   * Announces a file whose content is still to be uploaded, to the path `uploadUrl`, and returns it as it will be.
   * Until then, a file that has a content stays as it is. Throws `INVALID_ARGUMENT`, and `RATE_LIMITED` while too many
   * uploads of the bot wait to be indexed.
   */
  async upsertFile(request: RequestFor<'upsertFile'>, options: Abortable = {}): Promise<ResponseFor<'upsertFile'>> {
    const file = described(request);
    assertNotAborted(validateSignal(options));
    const { record, secret } = await this.uploads.announce(file, options);
    return { file: { ...this.#fileOf(record), uploadUrl: uploadPath(secret) } };
  }

  /**
   * Stores the content of a file; it is indexed in the background. Throws `INVALID_ARGUMENT`, and `RATE_LIMITED` while
   * too many uploads of the bot wait to be indexed.
   */
  async uploadFile(request: UploadFileRequest, options: Abortable = {}): Promise<{ file: File }> {
    const { content, ...description } = validateCall(uploadFile, request, options);
    // A copy: the caller may change its bytes before they are stored.
    const bytes = typeof content === 'string' ? Buffer.from(content.toWellFormed()) : new Uint8Array(content);
    const file = described({ ...description, size: bytes.length });
    return { file: this.#fileOf(await this.uploads.store(file, [bytes], { signal: options.signal })) };
  }

  /**
   * Accepts the content of an announced file; it is indexed in the background. Throws `UPLOAD_MISSING` if the file was
   * deleted, and `INVALID_ARGUMENT` if its size differs from the one given to `upsertFile`.
   * @internal
   */
  async receive(announced: AnnouncedFile, arriving: Arriving): Promise<File> {
    return this.#fileOf(await this.uploads.receive(announced, arriving));
  }

  /**
   * Records why the content of an announced file did not arrive. Throws `UPLOAD_MISSING` if the file was deleted.
   * @internal
   */
  async failUpload({ id }: AnnouncedFile, reason: string): Promise<void> {
    await this.uploads.fail(id, reason);
  }

  /**
   * Changes tags and metadata, also of uploads that are announced for the file: null deletes a field, and fields not
   * named stay. Throws `FILE_MISSING`, `INVALID_ARGUMENT`.
   */
  async updateFileMetadata(
    request: UpdateFileMetadataRequest,
    options: Abortable = {},
  ): Promise<ResponseFor<'updateFileMetadata'>> {
    const { id, ...changes } = validateCall(OPERATIONS.updateFileMetadata, request, options);
    const patched = await this.#records.patch((await this.#find(id, options)).id, changes);
    await this.#storage.sync();
    return { file: this.#fileOf(patched) };
  }

  /**
   * Copies a file, with the passages that a caller had set for it; others are indexed in the background. Throws
   * `FILE_MISSING`, `FILE_EXISTS`, `BOT_MISSING`, `INVALID_ARGUMENT`, `RATE_LIMITED`.
   */
  async copyFile(request: RequestFor<'copyFile'>, options: Abortable = {}): Promise<ResponseFor<'copyFile'>> {
    const {
      id,
      destinationKey: key,
      overwrite,
      destinationBotId,
    } = validateCall(OPERATIONS.copyFile, request, options);
    const destination = destinationBotId === undefined ? this : await this.#botFiles(destinationBotId, options);
    const read = () => this.#found(id, () => this.#records.withContent(id), options);
    const copy = await copyOf(read, { ...options, key, records: this.#records, engine: this.#engine });
    return { file: destination.#fileOf(await destination.uploads.copy(copy, { ...options, overwrite })) };
  }

  /** Deletes a file and its passages. Throws `FILE_MISSING`. */
  async deleteFile(request: RequestFor<'deleteFile'>, options: Abortable = {}): Promise<ResponseFor<'deleteFile'>> {
    const { id } = validateCall(OPERATIONS.deleteFile, request, options);
    // A file that gets another key meanwhile is still the one to delete.
    for (let isDeleted = false; !isDeleted; ) {
      const { key, id: fileId } = await this.#found(id, () => this.#records.identify(id), options);
      const which = { ...options, only: { id: fileId } };
      isDeleted = await this.#engine((engine) => engine.removeFile(key, which), options);
    }
    return {};
  }

  /** The bytes of a file, by its id or key; its text if it was not uploaded. Throws `FILE_MISSING`, `ABORTED`. */
  async content(idOrKey: string, options: Abortable = {}): Promise<StoredContent> {
    const { id } = validateCall(OPERATIONS.getFile, { id: idOrKey }, options);
    const { record, content } = await this.#found(id, () => this.#records.withContent(id), options);
    return contentOf(record, content);
  }

  /**
   * The content of a file for a caller without a token. Undefined unless it is public or the address is signed. Throws
   * `FILE_MISSING` if it is not uploaded yet.
   * @internal
   */
  async contentAt(id: string, signed: Signature | undefined): Promise<StoredContent | undefined> {
    const isPermitted = (record: FileRecord) => record.id === id && this.#addresses.permits(record, signed);
    const found = await this.#records.withContent(id, isPermitted);
    return found && contentOf(found.record, found.content);
  }

  /** A page of a file's passages, in order. Throws `FILE_MISSING`, `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async listFilePassages(
    request: RequestFor<'listFilePassages'>,
    options: Abortable = {},
  ): Promise<ResponseFor<'listFilePassages'>> {
    const { id, nextToken, limit, pageSize = limit } = validateCall(OPERATIONS.listFilePassages, request, options);
    const file = await this.#find(id, options);
    const read = (range: PassageRange) =>
      this.#engine((engine) => engine.passagesOf(file.id, { ...options, ...range }), options);
    return passagePage(file, { pageSize, nextToken, read });
  }

  /** Replaces the passages of a file, not its content. Throws `FILE_MISSING`, `INVALID_ARGUMENT`, `ABORTED`. */
  async setFilePassages(
    request: RequestFor<'setFilePassages'>,
    options: Abortable = {},
  ): Promise<ResponseFor<'setFilePassages'>> {
    const { id, passages } = validateCall(OPERATIONS.setFilePassages, request, options);
    const cut = passages.map(({ content, type: subtype, pageNumber: page }) => ({ content, subtype, page }));
    for (let isSet = false; !isSet; ) {
      const found = await this.#find(id, options);
      const given = { ...keptFields(found), passages: cut };
      const set = { ...options, expected: found };
      isSet = await this.#engine((engine) => engine.replacePassages(given, set), options);
    }
    return {};
  }

  /** A page of the names of tags that files have. Throws `INVALID_ARGUMENT`. */
  async listFileTags(request: RequestFor<'listFileTags'> = {}, options: Abortable = {}) {
    const valid = validateCall(OPERATIONS.listFileTags, request, options);
    await this.#check(options);
    const { names, meta } = await tagPage(this.#records, valid);
    return { tags: names, meta };
  }

  /** A page of the values of a tag. Throws `INVALID_ARGUMENT`. */
  async listFileTagValues(request: RequestFor<'listFileTagValues'>, options: Abortable = {}) {
    const valid = validateCall(OPERATIONS.listFileTagValues, request, options);
    await this.#check(options);
    const { names, meta } = await tagPage(this.#records, valid);
    return { values: names, meta };
  }

  /** A page of knowledge bases, newest first. Throws `INVALID_ARGUMENT`. */
  async listKnowledgeBases(request: RequestFor<'listKnowledgeBases'> = {}, options: Abortable = {}) {
    return this.#knowledgeBases.list(request, options);
  }

  /** Creates a group of files, which have its id as their tag `kbId`. Throws `INVALID_ARGUMENT`. */
  async createKnowledgeBase(request: RequestFor<'createKnowledgeBase'>, options: Abortable = {}) {
    return this.#knowledgeBases.create(request, options);
  }

  /** Changes name and tags. Throws `KNOWLEDGE_BASE_MISSING`, `INVALID_ARGUMENT`. */
  async updateKnowledgeBase(request: RequestFor<'updateKnowledgeBase'>, options: Abortable = {}) {
    return this.#knowledgeBases.update(request, options);
  }

  /** Deletes a knowledge base and its files. Throws `KNOWLEDGE_BASE_MISSING`. */
  async deleteKnowledgeBase(request: RequestFor<'deleteKnowledgeBase'>, options: Abortable = {}) {
    return this.#knowledgeBases.delete(request, options);
  }

  /** Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database. */
  async #check(options: Abortable): Promise<void> {
    await this.#engine(async (engine) => engine.assertUsable(), options);
  }

  /** Throws `FILE_MISSING`. */
  async #find(id: string, options: Abortable): Promise<FileRecord> {
    return this.#found(id, () => this.#records.find(id), options);
  }

  async #found<Found>(id: string, find: () => Promise<Found | undefined>, options: Abortable): Promise<Found> {
    await this.#check(options);
    const found = await find();
    if (found) return found;
    throw new WaymarkError('FILE_MISSING', `There is no file ${shown(id)}: listFiles lists the files of the bot.`);
  }

  #fileOf({ version: _, pipeline: __, keepsDescription: ___, ...record }: FileRecord): File {
    const botId = this.#bot.id;
    return { ...record, botId, url: this.#addresses.pathOf(record), owner: { type: 'bot', id: botId } };
  }
}
