import { setImmediate } from 'node:timers/promises';
import type { Passage } from '../../domain/passage.js';
import type {
  FileToPut,
  FileTouch,
  FileVersion,
  PassageStore,
  PendingPage,
  PendingText,
  PutOptions,
  StoreCounts,
  StoredFile,
  TextEmbedding,
} from '../../storage/passage-store.js';
import type { RankedCandidate, ReadResult, Retrieval, Retrieved } from '../../storage/retrieval.js';
import type { Connection } from '../connection/connection.js';
import { freePages } from '../connection/free-pages.js';
import type { ChangeLog } from '../embeddings/change-log.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { VectorCache } from '../embeddings/vector-cache.js';
import type { Files } from '../files/files.js';
import type { Postings } from '../postings/postings.js';
import { discardAbandoned } from '../reembedding/sqlite-reembeddings.js';
import type { PassageReader } from './passage-reader.js';
import type { PassageWriter } from './passage-writer.js';
import type { Retriever } from './retriever.js';

/** The parts of a passage store. */
export interface PassageStoreParts {
  readonly files: Files;
  readonly reader: PassageReader;
  readonly writer: PassageWriter;
  readonly embeddings: Embeddings;
  readonly log: ChangeLog;
  readonly postings: Postings;
  readonly vectors: VectorCache;
  readonly retriever: Retriever;
}

/** The passages of one bot in SQLite, with a vector index over them in this process. */
export class SqlitePassageStore implements PassageStore {
  readonly #connection: Connection;
  readonly #parts: PassageStoreParts;

  constructor(connection: Connection, parts: PassageStoreParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  async files(): Promise<StoredFile[]> {
    return this.#read(() => this.#parts.files.list());
  }

  async file(key: string): Promise<StoredFile | undefined> {
    return this.#read(() => this.#parts.files.find(key));
  }

  async retrieve(query: Retrieval): Promise<Retrieved> {
    return this.#parts.retriever.retrieve(query);
  }

  async read(
    ranked: readonly RankedCandidate[],
    options: { readonly limit: number; readonly context: number },
  ): Promise<ReadResult> {
    return this.#read(() => this.#parts.reader.read(ranked, options));
  }

  async passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#read(() => this.#parts.reader.passages(fileId, range));
  }

  async counts(): Promise<StoreCounts> {
    return this.#read(() => this.#counts());
  }

  async coverage(): Promise<number> {
    const { size } = await this.#parts.retriever.loadVectors();
    const passages = this.#read(() => this.#parts.postings.size());
    return passages === 0 ? 1 : Math.min(1, size / passages);
  }

  async indexKind(): Promise<'exact' | 'hnsw'> {
    const { embedded } = this.#read(() => this.#counts());
    return this.#parts.vectors.kind(embedded);
  }

  async missing(texts: readonly string[]): Promise<string[]> {
    return this.#read(() => this.#parts.embeddings.missing(texts));
  }

  async keysOf(text: number): Promise<string[]> {
    return this.#read(() => this.#parts.embeddings.keysOf(text));
  }

  async put(file: FileToPut, { over, embeddings: given, content }: PutOptions): Promise<boolean> {
    for (const embedding of given?.values() ?? []) this.#parts.vectors.check(embedding);
    return this.#write(() => {
      const { files, writer, embeddings } = this.#parts;
      if (!files.isAt(file.key, over)) return false;
      if (given) {
        const missing = embeddings.missing(file.passages.map(({ text }) => text));
        if (missing.some((text) => !given.has(text))) return false;
        embeddings.insert(given, { only: missing });
      }
      if (!over) this.#removeExpired(file.key);
      writer.replace(files.put(file, content), file.passages);
      return true;
    });
  }

  async touch(over: FileVersion, file: FileTouch): Promise<boolean> {
    return this.#write(() => {
      this.#removeExpired(file.key);
      return this.#parts.files.touch(over, file);
    });
  }

  async remove(key: string, { only }: { readonly only?: Partial<FileVersion> } = {}): Promise<boolean> {
    return this.#write(() => {
      const number = this.#parts.files.numberOf(key, only);
      if (number === undefined) return false;
      this.#remove(number);
      return true;
    });
  }

  async keep(given: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const embedding of given.values()) this.#parts.vectors.check(embedding);
    this.#write(() => {
      const { embeddings } = this.#parts;
      for (const number of embeddings.insert(given, { only: embeddings.missing([...given.keys()]) })) {
        embeddings.release(number);
      }
    });
  }

  async pending(page: PendingPage): Promise<PendingText[]> {
    return this.#read(() => this.#parts.embeddings.pending(page));
  }

  async countPending(): Promise<number> {
    return this.#read(() => this.#parts.embeddings.countPending());
  }

  async putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void> {
    // The embedder may be the caller's own: a wrong embedding must not become a damaged database.
    for (const { embedding } of embeddings) this.#parts.vectors.check(embedding);
    this.#write(() => this.#parts.embeddings.put(embeddings));
  }

  async compact(): Promise<void> {
    this.#write(() => discardAbandoned(this.#connection));
    while (this.#write(() => this.#parts.embeddings.removeUnused())) await setImmediate();
    this.#write(() => this.#parts.log.trim());
    while (freePages(this.#connection)) await setImmediate();
  }

  async flush(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.compact();
    const { embedded } = this.#read(() => this.#counts());
    await this.#parts.vectors.flush(embedded, options);
  }

  async close(): Promise<void> {
    this.#parts.vectors.close();
  }

  /** What has expired under a key is another file than the one that gets the key. */
  #removeExpired(key: string): void {
    const number = this.#parts.files.expiredNumber(key);
    if (number !== undefined) this.#remove(number);
  }

  #remove(number: number): void {
    this.#parts.writer.removeAll(number);
    this.#parts.files.remove(number);
  }

  #counts(): StoreCounts {
    return { ...this.#parts.files.counts(), ...this.#parts.reader.count() };
  }

  #read<T>(work: () => T): T {
    return this.#connection.read(() => {
      this.#parts.embeddings.checkModel();
      return work();
    });
  }

  #write<T>(work: () => T): T {
    return this.#connection.write(() => {
      this.#parts.embeddings.checkModel();
      return work();
    });
  }
}
