import { WaymarkError } from '../domain/errors.js';
import { formats } from '../formats/formats.js';
import { decodeUpload } from '../indexing/file-text.js';
import type { Bots } from '../storage/accounts.js';
import type { FileRecord, FileRecords } from '../storage/file-records.js';
import type { WithEngine } from './bot-engines.js';
import type { UploadQueue } from './upload-queue.js';

/** Indexes the uploaded files of one bot in the background. */
export class UploadIndexer {
  readonly #botId: string;
  readonly #bots: Bots;
  readonly #records: FileRecords;
  readonly #engine: WithEngine;
  readonly #queue: UploadQueue;
  /** Files whose failure could not be recorded. */
  readonly #unrecorded = new Set<string>();

  constructor(parts: { botId: string; bots: Bots; records: FileRecords; engine: WithEngine; queue: UploadQueue }) {
    this.#botId = parts.botId;
    this.#bots = parts.bots;
    this.#records = parts.records;
    this.#engine = parts.engine;
    this.#queue = parts.queue;
  }

  /** Queues the files that an earlier process did not get to. */
  async resume(): Promise<void> {
    for (const { id } of await this.#records.inStatus('indexing_pending')) this.add(id);
  }

  /** Queues a file. */
  add(fileId: string): void {
    this.#queue.add(async () => {
      try {
        await this.#attempt(fileId);
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Another process has been writing for too long: try again later.
        this.add(fileId);
      }
    });
  }

  /** Queues the files whose failure could not be recorded. */
  retryUnrecorded(): void {
    for (const fileId of this.#unrecorded) this.add(fileId);
    this.#unrecorded.clear();
  }

  /** Indexes the upload of a file, however often the file changes meanwhile. */
  async #attempt(fileId: string): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      const record = await this.#records.find(fileId);
      // Deleted, or given another content, while it waited.
      if (record?.status !== 'indexing_pending') return;
      isSettled = await this.#settle(record);
    }
  }

  /** Indexes an upload or records why it failed. Returns false, and changes nothing, if the file has changed. */
  async #settle(record: FileRecord): Promise<boolean> {
    try {
      return await this.#index(record);
    } catch (error) {
      if (isBusy(error)) throw error;
      // The file is indexed when the engine is opened again.
      if (error instanceof WaymarkError && error.code === 'ENGINE_CLOSED') return true;
      return this.#fail(record, error instanceof Error ? error.message : String(error));
    }
  }

  async #fail(record: FileRecord, reason: string): Promise<boolean> {
    try {
      return await this.#records.fail(record, { status: 'indexing_failed', reason });
    } catch {
      // Nothing can be written, as on a full disk: the file waits for the next upload, or the next start.
      this.#unrecorded.add(record.id);
      return true;
    }
  }

  async #index(record: FileRecord): Promise<boolean> {
    const format = formats.indexedAs(record.contentType);
    if (!format) {
      const types = formats.indexedContentTypes.join(', ');
      return this.#fail(record, `${record.contentType} is not indexed. Indexed types: ${types}.`);
    }
    // Should the bytes be newer than the record, the file is no longer in the state of the record.
    const bytes = await this.#records.content(record.id);
    if (!bytes) return true;
    const { key, tags, metadata } = record;
    const upload = { key, text: decodeUpload(bytes), tags, metadata, contentType: format.contentType };
    if (!(await this.#engine((engine) => engine.indexUpload(upload, record)))) return false;
    const waiting = await this.#records.inStatus('indexing_pending');
    if (waiting.length === 0) await this.#bots.markIndexed(this.#botId);
    return true;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof WaymarkError && error.code === 'BUSY';
}
