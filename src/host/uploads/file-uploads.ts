import { ulid } from 'ulid';
import { shown } from '../../contract/validate.js';
import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import { WaymarkError } from '../../domain/errors.js';
import type { SetPassagesOptions } from '../../indexing/set-passages.js';
import type { ByteSource, StagedContent, UsedAddress } from '../../storage/contents.js';
import { uploadMissing } from '../../storage/failures.js';
import type { AnnouncedFile, FileRecord, FileRecords, FileToUpload } from '../../storage/file-records.js';
import type { Storage } from '../../storage/storage.js';
import type { WithEngine } from '../bot-engines.js';
import type { FileCopy } from '../file-copy.js';
import { ArrivingBytes, STOPPED } from './arriving-bytes.js';
import { removeExpired } from './remove-expired.js';
import type { UploadIndexer } from './upload-indexer.js';
import type { UploadQueue } from './upload-queue.js';
import { newSecret } from './upload-secrets.js';

/** The content of an announced file on its way. */
export interface Arriving extends Abortable {
  readonly source: ByteSource;
  /** Where the content was sent to. */
  readonly address: UsedAddress;
}

/** How a file is stored with its content. */
interface StoreOptions extends Abortable {
  /** Those that a caller has set. Defaults to those that a parser cuts, if the file is to be searched. */
  readonly passages?: FileCopy['passages'] | undefined;
  /** Whether no file may have its key yet: `FILE_EXISTS` is thrown otherwise. Defaults to false. */
  readonly isNew?: boolean | undefined;
}

/** A content to put, the file that it replaces, and the address that it was sent to. */
interface PutOptions extends Pick<SetPassagesOptions, 'expected' | 'address'> {
  readonly content: StagedContent;
}

/** What uploads work on. */
export interface FileUploadsParts {
  readonly botId: string;
  readonly storage: Storage;
  readonly records: FileRecords;
  readonly indexer: UploadIndexer;
  readonly queue: UploadQueue;
  readonly engine: WithEngine;
}

/** Stores the contents of a bot's files, and queues them to be indexed. */
export class FileUploads {
  readonly #parts: FileUploadsParts;

  constructor(parts: FileUploadsParts) {
    this.#parts = parts;
  }

  /** A file as it will be, and the secret of the address that takes its content. Throws `RATE_LIMITED`, `ABORTED`. */
  async announce(file: FileToUpload, { signal }: Abortable): Promise<{ record: FileRecord; secret: string }> {
    const { botId, storage, queue, records } = this.#parts;
    await queue.admit(botId, signal);
    const { secret, address } = newSecret();
    const record = await this.#overExpired(file.key, () => records.announce(file, { address }), { signal });
    await storage.sync();
    return { record, secret };
  }

  /** Stores a file with its content. Throws `RATE_LIMITED`, `ABORTED`, and what `StoreOptions` says. */
  async store(
    file: FileToUpload,
    source: ByteSource,
    { passages, isNew, signal }: StoreOptions = {},
  ): Promise<FileRecord> {
    const { botId, queue, records } = this.#parts;
    await queue.admit(botId, signal);
    return this.#staged(source, { signal }, (content) =>
      this.#accept(async () => {
        if (file.index && !passages) {
          return this.#overExpired(file.key, () => records.upsert(file, content, { isNew }), { signal });
        }
        const stored = await this.#put(file, { content, passages, isNew, signal });
        if (!stored) throw keyTaken(file.key);
        return stored;
      }),
    );
  }

  /**
   * Stores the content of an announced file. Throws `UPLOAD_MISSING` if the address accepts no upload any more,
   * `INVALID_ARGUMENT` if the content has another size than announced, and `ABORTED`; the address stays open then.
   */
  async receive({ id, size, index }: AnnouncedFile, { source, signal, address }: Arriving): Promise<FileRecord> {
    const { records, storage } = this.#parts;
    const bytes = new ArrivingBytes(source, { announced: size, signal });
    return this.#staged(bytes, { signal }, async (content) => {
      if (bytes.size !== size) await this.#refuseSize({ id, size }, bytes.size);
      return this.#accept(async () => {
        if (index) return records.receive(address, content);
        // With what was changed while the content arrived.
        const announced = await storage.uploads.find(address);
        if (!announced) throw uploadMissing();
        return this.#put(announced, { expected: announced, content, address, signal });
      });
    });
  }

  /** Records why the content of an announced file did not arrive. Throws `UPLOAD_MISSING` if the file was deleted. */
  async fail(fileId: string, reason: string): Promise<FileRecord> {
    const announced = await this.#parts.records.find(fileId);
    // The id of a deleted file may be the key of another.
    if (announced?.id !== fileId) throw uploadMissing();
    // Another upload of the file may have succeeded.
    const isWaiting = ['upload_pending', 'upload_failed'].includes(announced.status);
    if (isWaiting) await this.#parts.records.fail(announced, { status: 'upload_failed', reason });
    return announced;
  }

  /**
   * Stores a copy of a file: with the passages that a caller had set for it, or to be indexed from its content. Throws
   * `RATE_LIMITED`, `ABORTED`, and `FILE_EXISTS` if its key is taken and `overwrite` is false.
   */
  async copy(
    { file, content, passages }: FileCopy,
    { overwrite, signal }: Abortable & { readonly overwrite: boolean },
  ): Promise<FileRecord> {
    const isNew = !overwrite;
    // Before all bytes are copied.
    if (isNew && (await this.#parts.records.withKey(file.key))) throw keyTaken(file.key);
    const bytes = new ArrivingBytes(content.read(), { announced: content.size, signal });
    return this.store(file, bytes, { passages, isNew, signal });
  }

  /** Removes the files that have expired. Throws `ABORTED`. */
  async removeExpired(options: Abortable): Promise<void> {
    await removeExpired(this.#parts.records, this.#parts.engine, options);
  }

  /** Queues the files that wait to be indexed. */
  async resume(): Promise<void> {
    await this.#parts.indexer.resume();
  }

  /** Queues files that another process has left. */
  async takeOver(): Promise<void> {
    await this.#parts.indexer.takeOver();
  }

  /** Stages bytes for `work`, and discards them if it fails. Throws `ABORTED`. */
  async #staged<T>(
    source: ByteSource,
    { signal }: Abortable,
    work: (content: StagedContent) => Promise<T>,
  ): Promise<T> {
    const { botId, storage } = this.#parts;
    const { contents } = storage;
    const content = await contents.stage(source, botId, { signal });
    try {
      assertNotAborted(signal, STOPPED);
      return await work(content);
    } catch (error) {
      // What cannot be discarded now is removed as abandoned.
      await contents.discard(content).catch(() => {});
      throw error;
    }
  }

  /** Records that a content has another size than announced. Throws `INVALID_ARGUMENT`. */
  async #refuseSize({ id, size }: Pick<AnnouncedFile, 'id' | 'size'>, arrived: number): Promise<never> {
    const reason = `${arrived} bytes arrived instead of ${size}`;
    const { key } = await this.fail(id, reason);
    const message = `size must be the number of bytes of the content: for ${key}, ${reason}.`;
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }

  /** Stores a content: again if `store` finds that the file has changed meanwhile. */
  async #accept(store: () => Promise<FileRecord | undefined>): Promise<FileRecord> {
    const { indexer, storage } = this.#parts;
    let stored: FileRecord | undefined;
    while (!stored) stored = await store();
    if (stored.status === 'indexing_pending') indexer.add({ id: stored.id, size: stored.size ?? 0 });
    indexer.retryUnrecorded();
    await storage.sync();
    return stored;
  }

  /**
   * Stores a file that is not to be searched, or has passages that a caller has set. It takes one step, with who may
   * read the file: what was under its key may be public. Returns undefined, and does nothing, if the file has changed
   * since `expected`, or if one has its key and it must be `isNew`.
   */
  async #put(
    { key, contentType, tags, metadata, accessPolicies, expiresAt }: FileToUpload,
    { passages, content, expected, signal, ...options }: StoreOptions & PutOptions,
  ): Promise<FileRecord | undefined> {
    const { engine, records } = this.#parts;
    const described = { key, contentType, tags, metadata, size: content.size };
    const isSearched = passages !== undefined;
    const file = { ...described, passages: passages ?? [] };
    const how = { ...options, expected, content, isSearched, signal, access: { accessPolicies, expiresAt } };
    if (!(await engine((bot) => bot.replacePassages(file, how), { signal }))) return undefined;
    const stored = expected ? await records.find(expected.id) : await records.withKey(key);
    if (stored) return stored;
    // It had been stored, and is gone by now: its content cannot be stored again.
    const now = new Date().toISOString();
    return {
      ...{ ...described, id: expected?.id ?? `file_${ulid()}`, version: 0, createdAt: now, updatedAt: now },
      ...{ accessPolicies, index: isSearched, pipeline: '', ...(expiresAt !== undefined && { expiresAt }) },
      status: isSearched ? 'indexing_completed' : 'upload_completed',
    };
  }

  /** Writes under a key, after removing a file that has expired there. Throws `ABORTED`, `FILE_EXISTS` for `taken`. */
  async #overExpired(
    key: string,
    write: () => Promise<FileRecord | 'expired' | 'taken'>,
    options: Abortable,
  ): Promise<FileRecord> {
    for (;;) {
      const written = await write();
      if (written === 'taken') throw keyTaken(key);
      if (written !== 'expired') return written;
      await this.removeExpired(options);
    }
  }
}

function keyTaken(key: string): WaymarkError {
  const next = 'pass overwrite: true to replace it, or choose another key';
  return new WaymarkError('FILE_EXISTS', `A file has the key ${shown(key)} already: ${next}.`);
}
