import { setImmediate } from 'node:timers/promises';
import { reasonOf } from '../../domain/errors.js';
import { describeExcess, excessOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { formats } from '../../formats/formats.js';
import type { Bots } from '../../storage/accounts.js';
import { isTransient } from '../../storage/failures.js';
import type { FileRecord, FileRecords, PendingFile } from '../../storage/file-records.js';
import type { WithEngine } from '../bot-engines.js';
import { keptFields } from '../description.js';
import { bytesOf } from '../stored-content.js';
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
  /** Files whose failure could not be recorded, and their sizes. */
  readonly #unrecorded = new Map<string, number>();
  /** Files that waited when `takeOver` was called last. */
  #seen: Set<string> = new Set();

  constructor(parts: { botId: string; bots: Bots; records: FileRecords; engine: WithEngine; queue: UploadQueue }) {
    this.#botId = parts.botId;
    this.#bots = parts.bots;
    this.#records = parts.records;
    this.#engine = parts.engine;
    this.#queue = parts.queue;
  }

  /** Queues the files that an earlier process did not get to. */
  async resume(): Promise<void> {
    for await (const files of this.#waiting()) for (const file of files) this.add(file);
  }

  /**
   * Queues the files that have waited since the last call, unless this process has work of the bot: the process that
   * took them has died, or has too much to do. If two processes index a file, what the first one does counts.
   */
  async takeOver(): Promise<void> {
    if (this.#queue.waitingOf(this.#botId) > 0) return;
    const before = this.#seen;
    this.#seen = new Set();
    for await (const files of this.#waiting()) {
      for (const file of files) {
        this.#seen.add(file.id);
        if (before.has(file.id)) this.add(file);
      }
    }
  }

  /** Queues a file. */
  add(file: PendingFile): void {
    const run = async () => {
      try {
        await this.#attempt(file.id);
      } catch (error) {
        if (!isTransient(error)) throw error;
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

  /** The files that wait to be indexed, in random order: processes that index at the same time start with others. */
  async *#waiting(): AsyncGenerator<PendingFile[]> {
    for (let after = ''; ; ) {
      const files = await this.#records.pending({ after, limit: PAGE });
      const last = files.at(-1);
      if (!last) return;
      yield shuffled(files);
      after = last.id;
      await setImmediate();
    }
  }

  /** Indexes the upload of a file, however often the file changes meanwhile. */
  async #attempt(fileId: string): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      const record = await this.#records.find(fileId);
      // Deleted, expired, or given another content, while it waited.
      if (record?.status !== 'indexing_pending') return;
      isSettled = await this.#settle(record);
    }
  }

  /** Indexes an upload or records why it failed. Returns false, and changes nothing, if the file has changed. */
  async #settle(record: FileRecord): Promise<boolean> {
    try {
      return await this.#index(record);
    } catch (error) {
      if (isTransient(error)) throw error;
      // The next start indexes the file. Not by the error's code: an embedder may be closed though the host is not.
      if (this.#queue.isClosed) return true;
      return this.#fail(record, reasonOf(error));
    }
  }

  /** Records a failure, and removes the passages of the content before. */
  async #fail(record: FileRecord, failure: string): Promise<boolean> {
    try {
      const none = { ...keptFields(record), passages: [] };
      return await this.#engine((engine) => engine.replacePassages(none, { expected: record, failure }), {});
    } catch {
      return this.#failWithoutEngine(record, failure);
    }
  }

  /** Records a failure where the engine cannot run, for example without its model. The passages stay, but hidden. */
  async #failWithoutEngine(record: FileRecord, reason: string): Promise<boolean> {
    try {
      return await this.#records.fail(record, { status: 'indexing_failed', reason });
    } catch {
      // Nothing can be written, as on a full disk: the file waits for the next upload, or to be taken over.
      this.#unrecorded.set(record.id, record.size ?? 0);
      return true;
    }
  }

  async #index(record: FileRecord): Promise<boolean> {
    const format = formats.ofContentType(record.contentType);
    if (!format) {
      const types = formats.contentTypes.join(', ');
      return this.#fail(record, `${record.contentType} is not indexed. Indexed types: ${types}.`);
    }
    // Should the bytes be newer than the record, the file is no longer in the state of the record.
    const content = await this.#records.content(record.id);
    if (!content) return true;
    const excess = excessOf(LIMITS.file, content.size);
    if (excess) return this.#fail(record, `${describeExcess(excess)}: split it.`);
    const bytes = await bytesOf(content);
    const { key, tags, metadata, keepsDescription } = record;
    const upload = { key, bytes, tags, metadata, keepsDescription, contentType: format.contentType };
    if (!(await this.#engine((engine) => engine.indexUpload(upload, record), {}))) return false;
    // Files that wait here need no query.
    const isLast = this.#queue.waitingOf(this.#botId) === 1;
    if (isLast && !(await this.#records.hasPending())) await this.#bots.markIndexed(this.#botId);
    return true;
  }
}

/** The same items in a random order. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
