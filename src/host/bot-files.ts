import { contentPath, uploadPath } from '../contract/byte-routes.js';
import type { PageMeta } from '../contract/fields/page.js';
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
import type { SearchFilesOptions } from '../contract/search.js';
import { shown, validateRequest } from '../contract/validate.js';
import { AnswerSize } from '../domain/answer-size.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../domain/cursor.js';
import { WaymarkError } from '../domain/errors.js';
import type { BotRecord } from '../storage/accounts.js';
import type { AnnouncedFile, FileRecord, FileRecords, FileToUpload } from '../storage/file-records.js';
import type { Storage } from '../storage/storage.js';
import type { WithEngine } from './bot-engines.js';
import { described, descriptionOf } from './description.js';
import { hasExpired } from './expiry.js';
import { UploadIndexer } from './upload-indexer.js';
import type { UploadQueue } from './upload-queue.js';
import { type UploadSecrets, uploadMissing } from './upload-secrets.js';

/** Tag names, or values of a tag, per page. */
const NAMES_PER_PAGE = 100;

/** What the operations on a bot's files work on. */
export interface BotFilesParts {
  readonly bot: BotRecord;
  readonly storage: Storage;
  readonly uploads: UploadSecrets;
  readonly queue: UploadQueue;
  readonly engine: WithEngine;
}

/** The operations on the files of one bot, in process. */
export class BotFiles implements FileOperations {
  readonly #engine: WithEngine;
  readonly #bot: BotRecord;
  readonly #storage: Storage;
  readonly #uploads: UploadSecrets;
  readonly #records: FileRecords;
  readonly #indexer: UploadIndexer;
  readonly #queue: UploadQueue;

  /** @internal */
  static async open(parts: BotFilesParts): Promise<BotFiles> {
    const { bot, storage, queue, engine } = parts;
    const records = await storage.fileRecords(bot.id);
    const indexer = new UploadIndexer({ botId: bot.id, bots: storage.accounts.bots, records, engine, queue });
    await indexer.resume();
    return new BotFiles(parts, { records, indexer });
  }

  private constructor(
    { engine, bot, storage, uploads, queue }: BotFilesParts,
    { records, indexer }: { records: FileRecords; indexer: UploadIndexer },
  ) {
    this.#engine = engine;
    this.#bot = bot;
    this.#storage = storage;
    this.#uploads = uploads;
    this.#queue = queue;
    this.#records = records;
    this.#indexer = indexer;
  }

  /** The contract's file search. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`, `ABORTED`. */
  async searchFiles(request: SearchFilesRequest, options: SearchFilesOptions = {}): Promise<SearchFilesResponse> {
    await this.#removeExpired();
    return this.#engine((engine) => engine.searchFiles(request, options));
  }

  /** Share of the passages whose embedding is stored, 0 to 1: the others are found by their words only. */
  async coverage(): Promise<number> {
    return this.#engine((engine) => engine.coverage());
  }

  /** A page of files. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async listFiles(request: ListFilesRequest = {}): Promise<ResponseFor<'listFiles'>> {
    const { tags = {}, ids, indexed, pageSize, ...order } = validateRequest(OPERATIONS.listFiles, request);
    await this.#removeExpired();
    const { sortField, sortDirection: direction, nextToken } = order;
    const page = { size: pageSize, direction, nextToken, sortField };
    const { items, ...meta } = await this.#records.page({ tags, ids, indexed }, page);
    return { files: items.map((record) => this.#fileOf(record)), meta };
  }

  /** A file by id or key. Throws `FILE_MISSING`. */
  async getFile(request: RequestFor<'getFile'>): Promise<ResponseFor<'getFile'>> {
    const { id } = validateRequest(OPERATIONS.getFile, request);
    return { file: this.#fileOf(await this.#find(id)) };
  }

  /**
   * Announces a file whose content is still to be uploaded, to the path `uploadUrl`. Throws `INVALID_ARGUMENT`, and
   * `RATE_LIMITED` while too many uploads of the bot wait to be indexed.
   */
  async upsertFile(request: RequestFor<'upsertFile'>): Promise<ResponseFor<'upsertFile'>> {
    const file = described(request);
    await this.#queue.admit(this.#bot.id);
    const record = await this.#upsert(file);
    const secret = await this.#uploads.create(record);
    await this.#storage.sync();
    return { file: { ...this.#fileOf(record), uploadUrl: uploadPath(secret) } };
  }

  /**
   * Stores the content of a file; it is indexed in the background. Throws `INVALID_ARGUMENT`, and `RATE_LIMITED` while
   * too many uploads of the bot wait to be indexed.
   */
  async uploadFile(request: UploadFileRequest): Promise<{ file: File }> {
    const { content, ...description } = validateRequest(uploadFile, request);
    const bytes = typeof content === 'string' ? Buffer.from(content.toWellFormed()) : content;
    const file = described({ ...description, size: bytes.length });
    await this.#queue.admit(this.#bot.id);
    // Description and content in one step, so that uploads at the same time do not mix.
    const store = async () =>
      file.index ? this.#upsert(file, bytes) : this.#storeUnsearched(await this.#upsert(file), bytes);
    return { file: await this.#accept(store) };
  }

  /**
   * Accepts the content of an announced file; it is indexed in the background. Throws `UPLOAD_MISSING` if the file has
   * changed since, and `INVALID_ARGUMENT` if its size differs from the one given to `upsertFile`.
   * @internal
   */
  async receive({ over, size }: AnnouncedFile, bytes: Uint8Array): Promise<File> {
    const record = await this.#records.find(over.id);
    if (record?.version !== over.version) throw uploadMissing();
    if (bytes.length !== size) {
      const reason = `${bytes.length} bytes arrived instead of ${size}`;
      await this.#records.fail(over, { status: 'upload_failed', reason });
      const message = `size must be the number of bytes of the content: for ${record.key}, ${reason}.`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
    return this.#accept(async () => {
      const stored = await (record.index ? this.#records.receive(over, bytes) : this.#storeUnsearched(record, bytes));
      if (!stored) throw uploadMissing();
      return stored;
    });
  }

  /**
   * Changes tags and metadata: null deletes a field, and fields not named stay. Throws `FILE_MISSING`,
   * `INVALID_ARGUMENT`.
   */
  async updateFileMetadata(request: UpdateFileMetadataRequest): Promise<ResponseFor<'updateFileMetadata'>> {
    const { id, ...changes } = validateRequest(OPERATIONS.updateFileMetadata, request);
    const patched = await this.#records.patch((await this.#find(id)).id, changes);
    await this.#storage.sync();
    return { file: this.#fileOf(patched) };
  }

  /** Deletes a file and its passages. Throws `FILE_MISSING`. */
  async deleteFile(request: RequestFor<'deleteFile'>): Promise<ResponseFor<'deleteFile'>> {
    const { id } = validateRequest(OPERATIONS.deleteFile, request);
    // A file that gets another key meanwhile is still the one to delete.
    for (let isDeleted = false; !isDeleted; ) {
      const { key, id: fileId } = await this.#find(id);
      isDeleted = await this.#engine((engine) => engine.removeFile(key, { only: { id: fileId } }));
    }
    return {};
  }

  /** The uploaded bytes of a file, or the text of a file that was indexed without an upload. Throws `FILE_MISSING`. */
  async content(id: string): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { id: fileId, key, contentType } = await this.#find(id);
    const bytes = await this.#records.content(fileId);
    if (bytes) return { bytes, contentType };
    throw new WaymarkError('FILE_MISSING', `The content of "${key}" is not uploaded yet: PUT it to its uploadUrl.`);
  }

  /** A page of a file's passages, in order. Throws `FILE_MISSING`, `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async listFilePassages(request: RequestFor<'listFilePassages'>): Promise<ResponseFor<'listFilePassages'>> {
    const { id, limit, nextToken } = validateRequest(OPERATIONS.listFilePassages, request);
    const file = await this.#find(id);
    const prefix = ['passages', file.id];
    const [from] = nextToken === undefined ? [0] : decodeCursor(nextToken, { prefix, length: 3 });
    if (typeof from !== 'number' || from < 0) throw invalidCursor();
    const range = { from, to: from + limit };
    const passages = await this.#engine((engine) => engine.passagesOf(file.id, range));
    const size = new AnswerSize('lower limit');
    size.addTexts(...passages.slice(0, limit).map(({ content }) => content));
    const more = passages.length > limit && { nextToken: encodeCursor([...prefix, from + limit]) };
    return {
      passages: passages.slice(0, limit).map(({ id, content, subtype, position, pageNumber }) => ({
        id,
        content,
        meta: { type: 'chunk', subtype, position, ...(pageNumber !== undefined && { pageNumber }) },
      })),
      meta: { ...more },
    };
  }

  /**
   * Replaces the passages of a file. `signal` stops the work; nothing is changed then. Throws `FILE_MISSING`,
   * `INVALID_ARGUMENT`, `ABORTED`.
   */
  async setFilePassages(
    request: RequestFor<'setFilePassages'>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ResponseFor<'setFilePassages'>> {
    const { id, passages } = validateRequest(OPERATIONS.setFilePassages, request);
    const cut = passages.map(({ content, type: subtype, pageNumber: page }) => ({ content, subtype, page }));
    for (let isSet = false; !isSet; ) {
      const over = await this.#find(id);
      const given = { ...descriptionOf(over), passages: cut, size: over.size ?? undefined };
      isSet = await this.#engine((engine) => engine.setPassages(given, { over, signal }));
    }
    return {};
  }

  /** A page of the names of tags that files have. Throws `INVALID_ARGUMENT`. */
  async listFileTags(request: RequestFor<'listFileTags'> = {}): Promise<ResponseFor<'listFileTags'>> {
    const { nextToken } = validateRequest(OPERATIONS.listFileTags, request);
    const { names, meta } = await this.#names(nextToken);
    return { tags: names, meta };
  }

  /** A page of the values of a tag. Throws `INVALID_ARGUMENT`. */
  async listFileTagValues(request: RequestFor<'listFileTagValues'>): Promise<ResponseFor<'listFileTagValues'>> {
    const { tag, nextToken } = validateRequest(OPERATIONS.listFileTagValues, request);
    const { names, meta } = await this.#names(nextToken, tag);
    return { values: names, meta };
  }

  async #names(nextToken: string | undefined, tag?: string): Promise<{ names: string[]; meta: PageMeta }> {
    await this.#engine(async (engine) => engine.check());
    const list = tag === undefined ? 'tags' : `values of ${tag}`;
    const [after] = nextToken === undefined ? [] : decodeCursor(nextToken, { prefix: [list], length: 2 });
    if (typeof after === 'number') throw invalidCursor();
    const found = await this.#records.tags({ after, limit: NAMES_PER_PAGE + 1, ...(tag !== undefined && { tag }) });
    const names = found.slice(0, NAMES_PER_PAGE);
    const last = names.at(-1);
    const hasMore = found.length > NAMES_PER_PAGE && last !== undefined;
    return { names, meta: hasMore ? { nextToken: encodeCursor([list, last]) } : {} };
  }

  /** Stores the content of a file: again if `store` finds that the file has changed meanwhile. */
  async #accept(store: () => Promise<FileRecord | undefined>): Promise<File> {
    let stored: FileRecord | undefined;
    while (!stored) stored = await store();
    if (stored.index) this.#indexer.add({ id: stored.id, size: stored.size ?? 0 });
    this.#indexer.retryUnrecorded();
    await this.#storage.sync();
    return this.#fileOf(stored);
  }

  /** Stores a content that is not to be searched. Returns undefined, and does nothing, if the file has changed. */
  async #storeUnsearched(over: FileRecord, bytes: Uint8Array): Promise<FileRecord | undefined> {
    if (hasExpired(over)) return over;
    const none = { ...descriptionOf(over), passages: [], size: bytes.length };
    const isStored = await this.#engine((engine) => engine.setPassages(none, { over, unsearched: bytes }));
    return isStored ? this.#record(over.id) : undefined;
  }

  /** Inserts or updates a file; one that has expired under its key is removed first. */
  async #upsert(file: FileToUpload, bytes?: Uint8Array): Promise<FileRecord> {
    for (;;) {
      const record = await this.#records.upsert(file, bytes);
      if (record) return record;
      await this.#removeExpired();
    }
  }

  async #removeExpired(): Promise<void> {
    await this.#engine(async (engine) => engine.check());
    for (const { key, ...only } of await this.#records.expired()) {
      await this.#engine((engine) => engine.removeFile(key, { only }));
    }
  }

  /** Throws `FILE_MISSING`. */
  async #find(id: string): Promise<FileRecord> {
    await this.#removeExpired();
    return this.#record(id);
  }

  /** Finds expired files, too. Throws `FILE_MISSING`. */
  async #record(id: string): Promise<FileRecord> {
    const found = await this.#records.find(id);
    if (found) return found;
    throw new WaymarkError('FILE_MISSING', `There is no file ${shown(id)}: listFiles lists the files of the bot.`);
  }

  #fileOf({ version: _, ...record }: FileRecord): File {
    const botId = this.#bot.id;
    return { ...record, botId, url: contentPath(record.id), owner: { type: 'bot', id: botId } };
  }
}
