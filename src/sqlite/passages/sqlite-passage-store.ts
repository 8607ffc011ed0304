import { setImmediate } from 'node:timers/promises';
import type { Abortable } from '../../domain/abortable.js';
import type { EmbeddedPassage, Passage } from '../../domain/passage.js';
import type { FileCopy } from '../../storage/copies.js';
import type {
  FileText,
  FileToPut,
  FileTouch,
  FileVersion,
  FlushOptions,
  PassageEmbedding,
  PassageStore,
  PendingPage,
  PendingText,
  PutOptions,
  ReadOptions,
  RemoveOptions,
  SeenFile,
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
import { costOf, LONG } from './cost.js';
import { drain } from './drain.js';
import type { FileWriter } from './file-writer.js';
import type { PassageReader } from './passage-reader.js';
import type { Retriever } from './retriever.js';

/** The parts of a passage store. */
export interface PassageStoreParts {
  readonly files: Files;
  readonly reader: PassageReader;
  readonly writer: FileWriter;
  /** The same, on another connection. */
  readonly writerOn: (connection: Connection) => FileWriter;
  readonly embeddings: Embeddings;
  readonly log: ChangeLog;
  readonly postings: Postings;
  readonly vectors: VectorCache;
  readonly retriever: Retriever;
}

/** The passages of one bot in SQLite, with a vector index over them in this process. */
export class SqlitePassageStore implements PassageStore {
  /** A database has one writer at a time. */
  readonly putsAtOnce = 1;
  readonly embedsFirst = false;
  readonly pool = 500;
  readonly #connection: Connection;
  readonly #parts: PassageStoreParts;

  constructor(connection: Connection, parts: PassageStoreParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  async files(): Promise<StoredFile[]> {
    return this.#read(() => this.#parts.files.list());
  }

  async seenFiles(): Promise<SeenFile[]> {
    return this.#read(() => this.#parts.files.listSeen());
  }

  async file(key: string): Promise<StoredFile | undefined> {
    return this.#read(() => this.#parts.files.find(key));
  }

  async text(key: string): Promise<FileText | undefined> {
    return this.#read(() => this.#parts.reader.text(key));
  }

  async retrieve(query: Retrieval): Promise<Retrieved> {
    return this.#parts.retriever.retrieve(query);
  }

  async read(ranked: readonly RankedCandidate[], options: ReadOptions): Promise<ReadResult> {
    return this.#read(() => this.#parts.reader.read(ranked, options));
  }

  async passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#read(() => this.#parts.reader.passages(fileId, range));
  }

  async embeddingOf(passageId: string): Promise<PassageEmbedding | undefined> {
    return this.#read(() => this.#parts.reader.embedding(passageId));
  }

  async embedded(filter: Pick<Retrieval, 'tags' | 'paths' | 'limit'>): Promise<readonly EmbeddedPassage[]> {
    return this.#read(() => this.#parts.reader.embedded(filter));
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

  /** As `FileCopies.embeddings`. */
  async embeddings(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    return this.#read(() => this.#parts.embeddings.of(texts));
  }

  async keysOf(text: number): Promise<string[]> {
    return this.#read(() => this.#parts.embeddings.keysOf(text));
  }

  async put(file: FileToPut, options: PutOptions): Promise<boolean> {
    return this.#writeFile((writer) => writer.put(file, options), { key: file.key, file, signal: options.signal });
  }

  /** As `FileCopies.put`. */
  async copy(copy: FileCopy): Promise<void> {
    const { state, passages, text = '' } = copy;
    await this.#writeFile((writer) => writer.copy(copy), { key: state.key, file: { passages, text } });
  }

  async touch(expected: FileVersion, file: FileTouch): Promise<boolean> {
    return this.#writeFile((writer) => writer.touch(expected, file), { key: file.key });
  }

  async remove(key: string, { only, signal }: RemoveOptions = {}): Promise<boolean> {
    return this.#writeFile((writer) => writer.remove(key, only), { key, signal });
  }

  async keep(given: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const embedding of given.values()) this.#parts.vectors.checkEmbedding(embedding);
    await this.#write(() => {
      const { embeddings } = this.#parts;
      for (const [text, embedding] of given) {
        if (!embeddings.has(text)) embeddings.release(embeddings.insert(text, embedding));
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
    for (const { embedding } of embeddings) this.#parts.vectors.checkEmbedding(embedding);
    await this.#write(() => this.#parts.embeddings.put(embeddings));
  }

  async compact(): Promise<void> {
    await this.#write(() => discardAbandoned(this.#connection));
    while (await this.#write(() => this.#parts.embeddings.removeUnused())) await setImmediate();
    while (await this.#write(() => this.#parts.log.trim())) await setImmediate();
    while (await freePages(this.#connection)) await setImmediate();
  }

  async flush(options: FlushOptions = {}): Promise<void> {
    await this.compact();
    const { embedded } = this.#read(() => this.#counts());
    await this.#parts.vectors.flush(embedded, options);
  }

  async close(): Promise<void> {
    this.#parts.vectors.close();
  }

  /** Writes the file of a key; in portions if it, or the file that it replaces, is large. */
  async #writeFile<T>(
    work: (writer: FileWriter) => Generator<void, T>,
    { key, file, signal }: Abortable & Pick<Parameters<typeof costOf>[0], 'file'> & { readonly key: string },
  ): Promise<T> {
    const { writer, writerOn, reader } = this.#parts;
    if (costOf({ replaced: reader.countOf(key), file }) <= LONG)
      return this.#connection.write(() => drain(work(writer)), { signal });
    return this.#connection.writeInPortions((other) => work(writerOn(other)), { signal });
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

  #write<T>(work: () => T): Promise<T> {
    return this.#connection.write(() => {
      this.#parts.embeddings.checkModel();
      return work();
    });
  }
}
