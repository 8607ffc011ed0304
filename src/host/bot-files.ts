import type { z } from 'zod';
import {
  contentTypeOfKey,
  listFilePassagesSchema,
  listFilesSchema,
  listFileTagsSchema,
  listFileTagValuesSchema,
  setFilePassagesSchema,
  updateFileMetadataSchema,
  upsertFileSchema,
} from '../contract/files.js';
import type {
  File,
  FileOperations,
  FilePassage,
  ListFilesRequest,
  PageMeta,
  PassageToSet,
  UpdateFileMetadataRequest,
  UpsertFileRequest,
} from '../contract/operations.js';
import type { SearchFilesOptions, SearchFilesRequest, SearchFilesResponse } from '../contract/search-files.js';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { SUBTYPES, type Subtype } from '../domain/passage.js';
import type { SearchEngine } from '../engine/engine.js';
import { decodeGiven } from '../indexing/read-file.js';
import type { BotRow, Bots } from '../sqlite/accounts/bots.js';
import { isBusy } from '../sqlite/connection/database.js';
import { noToken, parseToken, tokenOf } from '../sqlite/connection/page.js';
import type { FileRecord, FileRecords } from '../sqlite/files/file-records.js';
import type { Uploads } from '../sqlite/files/uploads.js';
import type { UploadQueue } from './upload-queue.js';

/** Names of tags, or values of one, on a page. */
const NAMES = 100;

const INDEXED_TYPES = /^text\/(?:markdown|mdx|x-markdown|plain)\b/i;

/** Does something with a bot's engine, whichever it is at the time; done again with the next one where it was replaced. */
export type WithEngine = <T>(work: (engine: SearchEngine) => Promise<T>) => Promise<T>;

/** Everything that is asked and told of one bot's files, in process. */
export class BotFiles implements FileOperations {
  readonly #engine: WithEngine;
  readonly #bot: BotRow;
  readonly #bots: Bots;
  readonly #records: FileRecords;
  readonly #uploads: Uploads;
  readonly #queue: UploadQueue;
  /** Brings to the disk what was changed; nothing is acknowledged before. */
  readonly #sync: () => Promise<void>;
  /** The upload that is being indexed, or was last. */
  #running: { readonly number: number; readonly ended: Promise<void> } | undefined;
  /** Files that could not be indexed when not even that could be recorded. */
  readonly #unrecorded = new Set<number>();

  /** @internal */
  constructor(parts: {
    engine: WithEngine;
    bot: BotRow;
    bots: Bots;
    records: FileRecords;
    uploads: Uploads;
    queue: UploadQueue;
    sync: () => Promise<void>;
  }) {
    this.#engine = parts.engine;
    this.#bot = parts.bot;
    this.#bots = parts.bots;
    this.#records = parts.records;
    this.#uploads = parts.uploads;
    this.#queue = parts.queue;
    this.#sync = parts.sync;
    // What was uploaded before the process ended, and not indexed.
    for (const { number } of this.#records.inState('indexing_pending')) this.#indexLater(number);
  }

  async searchFiles(request: SearchFilesRequest, options: SearchFilesOptions = {}): Promise<SearchFilesResponse> {
    await this.#removeExpired();
    return this.#engine((engine) => engine.searchFiles(request, options));
  }

  /** Share of the passages whose embedding is there, 0..1: the others are found by their words only. */
  async coverage(): Promise<number> {
    return this.#engine((engine) => engine.coverage());
  }

  async listFiles(request: ListFilesRequest = {}): Promise<{ files: File[]; meta: PageMeta }> {
    const { tags = {}, ids, indexed, pageSize, ...order } = validate(listFilesSchema, request);
    await this.#removeExpired();
    const { sortField, sortDirection: direction, nextToken } = order;
    const page = { size: pageSize, direction, nextToken, sortField };
    const { records, ...meta } = this.#records.page({ tags, ids, indexed }, page);
    return { files: records.map((record) => this.#fileOf(record)), meta };
  }

  async getFile({ id }: { readonly id: string }): Promise<{ file: File }> {
    return { file: this.#fileOf(await this.#find(id)) };
  }

  /** Makes a file known whose content is to come, and the secret of the address that takes it. */
  async upsertFile(request: UpsertFileRequest): Promise<{ file: File; secret: string }> {
    const { expiresAt, contentType, ...valid } = validate(upsertFileSchema, request);
    const type = contentType ?? contentTypeOfKey(valid.key);
    const before = this.#records.find(valid.key);
    if (before) await this.#indexed(before.number);
    const record = this.#records.expect({ ...valid, contentType: type, expiresAt });
    const secret = this.#uploads.open(record.number);
    await this.#sync();
    return { file: this.#fileOf(record), secret };
  }

  async uploadFile({
    content,
    ...request
  }: Omit<UpsertFileRequest, 'size'> & { readonly content: string | Uint8Array }): Promise<{ file: File }> {
    const bytes = typeof content === 'string' ? Buffer.from(content.toWellFormed()) : content;
    const { secret } = await this.upsertFile({ ...request, size: bytes.length });
    const taken = this.#uploads.take(secret);
    if (!taken) throw new RangeError('an upload that was just opened is there');
    return { file: await this.receive(taken.file, bytes) };
  }

  /** Takes the content of a file; it is indexed in the background. Throws `INVALID_ARGUMENT` for another size than was told. */
  async receive(number: number, bytes: Uint8Array): Promise<File> {
    const { key, index } = this.#records.get(number);
    const expected = this.#records.expectedSize(number);
    if (bytes.length !== expected) {
      const reason = `${bytes.length} bytes came, and ${expected} were to come`;
      this.#records.setStatus(number, { status: 'upload_failed', reason });
      throw new WaymarkError(
        'INVALID_ARGUMENT',
        `size must be the number of bytes of the content: of ${key} ${reason}.`,
      );
    }
    if (!index) {
      await this.#indexed(number);
      await this.#forget(number);
    }
    this.#records.receive(number, { bytes, status: index ? 'indexing_pending' : 'upload_completed' });
    if (index) this.#indexLater(number);
    for (const waiting of this.#unrecorded) this.#indexLater(waiting);
    this.#unrecorded.clear();
    const received = this.#fileOf(this.#records.get(number));
    await this.#sync();
    return received;
  }

  async updateFileMetadata(request: UpdateFileMetadataRequest): Promise<{ file: File }> {
    const { id, tags, metadata, accessPolicies, expiresAt } = validate(updateFileMetadataSchema, request);
    await this.#indexed((await this.#find(id)).number);
    const record = await this.#find(id);
    const { expiresAt: before, ...kept } = record;
    const expires = expiresAt === undefined ? before : (expiresAt ?? undefined);
    const patched = this.#records.patch(record, {
      ...kept,
      tags: patch(record.tags, tags),
      metadata: patch(record.metadata, metadata),
      ...(accessPolicies && { accessPolicies }),
      ...(expires !== undefined && { expiresAt: expires }),
    });
    await this.#sync();
    return { file: this.#fileOf(patched) };
  }

  async deleteFile({ id }: { readonly id: string }): Promise<Record<string, never>> {
    const { key, number } = await this.#find(id);
    await this.#indexed(number);
    await this.#engine((engine) => engine.removeFile(key));
    return {};
  }

  /** A file's bytes as they were uploaded; the text of one that was indexed otherwise. Throws `FILE_MISSING`. */
  async content(id: string): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { number, key, contentType } = await this.#find(id);
    const bytes = this.#records.content(number);
    if (bytes) return { bytes, contentType };
    throw new WaymarkError('FILE_MISSING', `The content of "${key}" was not uploaded yet: put it to its uploadUrl.`);
  }

  async listFilePassages(
    request: z.input<typeof listFilePassagesSchema>,
  ): Promise<{ passages: FilePassage[]; meta: PageMeta }> {
    const { id, limit, nextToken } = validate(listFilePassagesSchema, request);
    const file = await this.#find(id);
    const begin = ['passages', file.id];
    const [from] = nextToken === undefined ? [0] : parseToken(nextToken, { begin, length: 3 });
    if (typeof from !== 'number' || from < 0) throw noToken();
    const range = { from, to: from + limit };
    const passages = await this.#engine((engine) => engine.passagesOf(file.id, range));
    const more = passages.length > limit && { nextToken: tokenOf([...begin, from + limit]) };
    return {
      passages: passages.slice(0, limit).map(({ id, content, subtype, position, pageNumber }) => ({
        id,
        content,
        meta: { type: 'chunk', subtype, position, ...(pageNumber !== undefined && { pageNumber }) },
      })),
      meta: { ...more },
    };
  }

  async setFilePassages(request: {
    readonly id: string;
    readonly passages: readonly PassageToSet[];
  }): Promise<Record<string, never>> {
    const { id, passages } = validate(setFilePassagesSchema, request);
    await this.#indexed((await this.#find(id)).number);
    const { number, size, key, contentType, tags, metadata } = await this.#find(id);
    const given = {
      key,
      contentType,
      tags,
      metadata,
      passages: passages.map(({ content, type, pageNumber: page }) => ({ content, subtype: subtypeOf(type), page })),
    };
    await this.#engine((engine) => engine.setPassages(given));
    this.#records.passagesSet(number, { size: size ?? 0 });
    await this.#sync();
    return {};
  }

  async listFileTags(
    request: z.input<typeof listFileTagsSchema> = {},
  ): Promise<{ tags: readonly string[]; meta: PageMeta }> {
    const { nextToken } = validate(listFileTagsSchema, request);
    const { names, meta } = await this.#names({ nextToken });
    return { tags: names, meta };
  }

  async listFileTagValues(
    request: z.input<typeof listFileTagValuesSchema>,
  ): Promise<{ values: readonly string[]; meta: PageMeta }> {
    const { tag, nextToken } = validate(listFileTagValuesSchema, request);
    const { names, meta } = await this.#names({ tag, nextToken });
    return { values: names, meta };
  }

  async #names({
    tag,
    nextToken,
  }: {
    tag?: string;
    nextToken: string | undefined;
  }): Promise<{ names: string[]; meta: PageMeta }> {
    await this.#engine(async (engine) => engine.check());
    const list = tag === undefined ? 'tags' : `values of ${tag}`;
    const [after] = nextToken === undefined ? [''] : parseToken(nextToken, { begin: [list], length: 2 });
    if (typeof after !== 'string') throw noToken();
    const found = this.#records.tags({ after, limit: NAMES + 1, ...(tag !== undefined && { tag }) });
    const names = found.slice(0, NAMES);
    const last = names.at(-1);
    return { names, meta: found.length > NAMES && last !== undefined ? { nextToken: tokenOf([list, last]) } : {} };
  }

  #indexLater(number: number): void {
    this.#queue.add(async () => {
      try {
        const running = this.#indexOrTell(number);
        this.#running = { number, ended: running.catch(() => {}) };
        await running;
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Another process writes for long: the file waits on.
        this.#indexLater(number);
      }
    });
  }

  /** Once a file is not being indexed: what is written then would be put over what is changed now. */
  async #indexed(number: number): Promise<void> {
    if (this.#running?.number === number) await this.#running.ended;
  }

  async #indexOrTell(number: number): Promise<void> {
    try {
      await this.#index(number);
    } catch (error) {
      if (isBusy(error)) throw error;
      // A closed engine indexes it when it is opened again.
      if (error instanceof WaymarkError && error.code === 'ENGINE_CLOSED') return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#fail(number, reason);
    }
  }

  #fail(number: number, reason: string): void {
    try {
      this.#records.setStatus(number, { status: 'indexing_failed', reason });
    } catch {
      // Nothing can be written just now, as on a full disk: it waits for the next upload, or the next start.
      this.#unrecorded.add(number);
    }
  }

  async #index(number: number): Promise<void> {
    const record = this.#records.get(number);
    const bytes = this.#records.content(number);
    // Deleted, or uploaded anew, while it waited.
    if (record.status !== 'indexing_pending' || !bytes) return;
    const { key, tags, metadata } = record;
    const [contentType = ''] = record.contentType.split(';');
    if (!INDEXED_TYPES.test(contentType)) {
      const reason = `${contentType} is not indexed: only text/markdown, text/mdx and text/plain are.`;
      this.#records.setStatus(number, { status: 'indexing_failed', reason });
      return;
    }
    const text = decodeGiven(bytes);
    const type = contentType.toLowerCase().replace('x-markdown', 'markdown');
    const given = { tags, metadata, contentType: type };
    await this.#engine((engine) => engine.indexFile(key, text, given));
    this.#records.indexed(number, bytes);
    if (this.#records.inState('indexing_pending').length === 0) this.#bots.deployed(this.#bot.number);
  }

  /** Takes a file that is not to be searched any more out of the index. */
  async #forget(number: number): Promise<void> {
    const { id, key, contentType, tags, metadata } = this.#records.get(number);
    const none = { key, contentType, tags, metadata, passages: [] };
    await this.#engine(async (engine) => {
      const [first] = await engine.passagesOf(id, { from: 0, to: 0 });
      if (first) await engine.setPassages(none);
    });
  }

  async #removeExpired(): Promise<void> {
    await this.#engine(async (engine) => engine.check());
    for (const key of this.#records.expired()) await this.#engine((engine) => engine.removeFile(key));
  }

  /** Throws `FILE_MISSING`. */
  async #find(id: string): Promise<FileRecord> {
    await this.#removeExpired();
    const found = this.#records.find(id);
    if (found) return found;
    throw new WaymarkError('FILE_MISSING', `There is no file "${id}": listFiles tells those that there are.`);
  }

  #fileOf({ number: _, ...record }: FileRecord): File {
    const botId = this.#bot.id;
    return { ...record, botId, url: `/v1/files/${record.id}/content`, owner: { type: 'bot', id: botId } };
  }
}

/** An object with fields changed, those that are null left out. */
function patch<Value>(
  object: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const entries = Object.entries({ ...object, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}

function subtypeOf(type: string | undefined): Subtype {
  return SUBTYPES.find((subtype) => subtype === type) ?? 'paragraph';
}
