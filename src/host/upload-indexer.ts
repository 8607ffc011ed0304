import { setImmediate } from 'node:timers/promises';
import { WaymarkError } from '../domain/errors.js';
import { formats } from '../formats/formats.js';
import { decodeUpload } from '../indexing/file-text.js';
import type { Bots } from '../storage/accounts.js';
import type { FileRecord, FileRecords, PendingFile } from '../storage/file-records.js';
import type { WithEngine } from './bot-engines.js';
import type { UploadQueue } from './upload-queue.js';

/** Pending files that are read at once. */
const PAGE = 1000;

/** Indexes the uploaded files of one bot in the background. */
export class UploadIndexer {
  readonly #botId: string;
  readonly #bots: Bots;
  readonly #records: FileRecords;
  readonly #engine: WithEngine;
  readonly #queue: UploadQueue;
  /** The file that is being indexed, or the last one that was. */
  #running: { readonly fileId: string; readonly ended: Promise<void> } | undefined;
  /** Files whose failure could not be recorded, and their sizes. */
  readonly #unrecorded = new Map<string, number>();

  constructor(parts: { botId: string; bots: Bots; records: FileRecords; engine: WithEngine; queue: UploadQueue }) {
    this.#botId = parts.botId;
    this.#bots = parts.bots;
    this.#records = parts.records;
    this.#engine = parts.engine;
    this.#queue = parts.queue;
  }

  /** Queues the files that an earlier process did not get to. */
  async resume(): Promise<void> {
    for (let after = ''; ; ) {
      const files = await this.#records.pending({ after, limit: PAGE });
      for (const file of files) this.add(file);
      const last = files.at(-1);
      if (!last) return;
      after = last.id;
      await setImmediate();
    }
  }

  /** Queues a file. */
  add(file: PendingFile): void {
    const run = async () => {
      try {
        const running = this.#attempt(file);
        this.#running = { fileId: file.id, ended: running.catch(() => {}) };
        await running;
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Another process has been writing for too long: try again later.
        this.add(file);
      }
    };
    this.#queue.add(this.#botId, { size: file.size, run });
  }

  /** Queues the files whose failure could not be recorded. */
  retryUnrecorded(): void {
    for (const [id, size] of this.#unrecorded) this.add({ id, size });
    this.#unrecorded.clear();
  }

  /** Waits while a file is being indexed: a change made meanwhile would be overwritten. */
  async idle(fileId: string): Promise<void> {
    if (this.#running?.fileId === fileId) await this.#running.ended;
  }

  async #attempt(file: PendingFile): Promise<void> {
    try {
      await this.#index(file.id);
    } catch (error) {
      if (isBusy(error)) throw error;
      // The file is indexed when the engine is opened again.
      if (error instanceof WaymarkError && error.code === 'ENGINE_CLOSED') return;
      await this.#fail(file, error instanceof Error ? error.message : String(error));
    }
  }

  async #fail({ id, size }: PendingFile, reason: string): Promise<void> {
    try {
      await this.#records.setStatus(id, { status: 'indexing_failed', reason });
    } catch {
      // Nothing can be written, as on a full disk: the file waits for the next upload, or the next start.
      this.#unrecorded.set(id, size);
    }
  }

  async #index(fileId: string): Promise<void> {
    const record = await this.#records.find(fileId);
    const bytes = await this.#records.content(fileId);
    // Deleted, or uploaded again, while it waited.
    if (record?.status !== 'indexing_pending' || !bytes) return;
    await this.#indexContent(record, bytes);
  }

  async #indexContent({ id, key, tags, metadata, ...record }: FileRecord, bytes: Uint8Array): Promise<void> {
    const format = formats.indexedAs(record.contentType);
    if (!format) {
      const reason = `${record.contentType} is not indexed. Indexed types: ${formats.indexedContentTypes.join(', ')}.`;
      await this.#records.setStatus(id, { status: 'indexing_failed', reason });
      return;
    }
    const text = decodeUpload(bytes);
    const { contentType } = format;
    await this.#engine((engine) => engine.indexFile(key, text, { tags, metadata, contentType }));
    await this.#records.markIndexed(id, bytes);
    // Files that wait here need no query.
    const isLast = this.#queue.waitingOf(this.#botId) === 1;
    if (isLast && !(await this.#records.hasPending())) await this.#bots.markIndexed(this.#botId);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof WaymarkError && error.code === 'BUSY';
}
