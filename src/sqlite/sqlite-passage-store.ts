import { setImmediate } from 'node:timers/promises';
import type { Neighbour } from '../domain/passage.js';
import type {
  FileRange,
  FileToPut,
  LexicalQuery,
  Matching,
  PassageShapes,
  PassageStore,
  PendingText,
  StoreCounts,
  StoredFile,
  StoredPassage,
  TagFilter,
  Window,
} from '../storage/passage-store.js';
import type { VectorIndex } from '../vectors/vector-index.js';
import { type Database, databaseError, type Transaction } from './connection/database.js';
import { freePages } from './connection/free-pages.js';
import type { Embeddings } from './embeddings/embeddings.js';
import type { BotIndex } from './embeddings/vector-cache.js';
import type { Files } from './files/files.js';
import type { Passages } from './passages/passages.js';
import type { Postings } from './postings/postings.js';
import { removeAbandoned } from './reembedding/reembedding.js';

/** Passages in one SQLite file, with a vector index over them in this process. */
export class EmbeddedStore implements PassageStore {
  readonly #database: Database;
  readonly #files: Files;
  readonly #passages: Passages;
  readonly #embeddings: Embeddings;
  readonly #postings: Postings;
  readonly #index: BotIndex;
  /** Made once: a search reads some thirty times, and making one costs as much as a read. */
  readonly #transaction: Transaction<(work: () => unknown) => unknown>;

  constructor(parts: {
    database: Database;
    files: Files;
    passages: Passages;
    embeddings: Embeddings;
    postings: Postings;
    index: BotIndex;
  }) {
    this.#database = parts.database;
    this.#files = parts.files;
    this.#passages = parts.passages;
    this.#embeddings = parts.embeddings;
    this.#postings = parts.postings;
    this.#index = parts.index;
    this.#transaction = parts.database.transaction((work: () => unknown) => {
      // Another process may embed the files anew at any moment: nothing of it is taken for what this model made.
      parts.embeddings.checkModel();
      return work();
    });
  }

  async files(): Promise<StoredFile[]> {
    return this.#read(() => this.#files.list());
  }

  async file(key: string): Promise<StoredFile | undefined> {
    return this.#read(() => this.#files.find(key));
  }

  async put(file: FileToPut): Promise<void> {
    this.#write(() => {
      const { number, id } = this.#files.put(file);
      this.#passages.replace({ number, id }, file.passages);
    });
  }

  async touch(id: string, file: Parameters<PassageStore['touch']>[1]): Promise<void> {
    this.#write(() => this.#files.touch(id, file));
  }

  async remove(key: string): Promise<boolean> {
    return this.#write(() => {
      const number = this.#files.numberOf(key);
      if (number === undefined) return false;
      this.#passages.removeAll(number);
      this.#files.remove(number);
      return true;
    });
  }

  async pending(options: Parameters<PassageStore['pending']>[0]): Promise<PendingText[]> {
    return this.#read(() => this.#embeddings.pending(options));
  }

  async countPending(): Promise<number> {
    return this.#read(() => this.#embeddings.countPending());
  }

  async putEmbeddings(embeddings: readonly { id: number; embedding: Float32Array }[]): Promise<void> {
    // An embedder may be the caller's own: what it gives wrong must not become a damaged database.
    for (const { embedding } of embeddings) this.#index.check(embedding);
    this.#write(() => this.#embeddings.put(embeddings));
  }

  async ready(): Promise<void> {
    await this.#current();
  }

  async nearest(query: Float32Array, { limit, tags }: { limit: number; tags?: TagFilter }): Promise<Neighbour[]> {
    const index = await this.#current();
    const only = tags && this.#read(() => this.#passages.numbersOf(tags));
    return index.search(query, { limit, ...(only && { only }) });
  }

  async similarities(query: Float32Array, numbers: readonly number[]): Promise<Float32Array> {
    const index = await this.#current();
    return index.scores(query, Uint32Array.from(numbers));
  }

  async meanSimilarity(query: Float32Array): Promise<{ mean: number; count: number }> {
    const index = await this.#current();
    return { mean: index.meanScore(query), count: index.size };
  }

  async matching(
    query: LexicalQuery,
    { tags, limit }: { limit: number; tags?: TagFilter | undefined },
  ): Promise<Matching> {
    return this.#read(() => this.#postings.matching(query, { limit, only: tags && this.#passages.numbersOf(tags) }));
  }

  async matchScores(query: LexicalQuery, numbers: readonly number[]): Promise<number[]> {
    return this.#read(() => this.#postings.scores(query, numbers));
  }

  async termsIn(terms: readonly string[], numbers: readonly number[]): Promise<string[][]> {
    return this.#read(() => this.#postings.termsIn(terms, numbers));
  }

  async shapes(numbers: readonly number[]): Promise<PassageShapes> {
    return this.#read(() => this.#passages.shapes(numbers));
  }

  async passages(numbers: readonly number[]): Promise<StoredPassage[]> {
    return this.#read(() => this.#passages.read(numbers));
  }

  async windows(ranges: readonly FileRange[]): Promise<Window[]> {
    return this.#read(() => ranges.map((range) => this.#passages.window(range)));
  }

  async coverage(): Promise<number> {
    const { size } = await this.#current();
    const passages = this.#read(() => this.#postings.size());
    return passages === 0 ? 1 : Math.min(1, size / passages);
  }

  async counts(): Promise<StoreCounts> {
    return this.#read(() => ({ ...this.#files.counts(), ...this.#passages.count() }));
  }

  async tidy(): Promise<void> {
    this.#write(() => removeAbandoned(this.#database));
    while (this.#write(() => this.#embeddings.removeUnused())) await setImmediate();
    this.#write(() => {
      this.#embeddings.trimChanges();
      this.#postings.recount();
    });
    while (this.#try(() => freePages(this.#database))) await setImmediate();
  }

  async settle(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.tidy();
    const { embedded } = this.#read(() => this.#passages.count());
    await this.#wait(this.#index.settle(embedded, options));
  }

  async close(): Promise<void> {
    this.#index.close();
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw databaseError(error, this.#database.name);
    }
  }

  /** In one transaction: what another process commits meanwhile is seen in all of it or in nothing. */
  #read<T>(work: () => T): T {
    return this.#try(() => this.#transaction(work) as T);
  }

  /** The vector index with what is stored now. */
  async #current(): Promise<VectorIndex> {
    this.#read(() => {});
    try {
      return await this.#wait(this.#index.current());
    } finally {
      // What was read, or what it failed by, may be the vectors of another model.
      this.#read(() => {});
    }
  }

  async #wait<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw databaseError(error, this.#database.name);
    }
  }

  /** In one transaction, which waits for another process that writes. */
  #write<T>(work: () => T): T {
    return this.#try(() => this.#transaction.immediate(work) as T);
  }
}
