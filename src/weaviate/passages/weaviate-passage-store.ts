import { assertNotAborted } from '../../domain/abortable.js';
import { pathFilter } from '../../domain/filters/path-filter.js';
import { passesTags } from '../../domain/filters/tag-filter.js';
import type { EmbeddedPassage, Passage } from '../../domain/passage.js';
import { hasExpired } from '../../storage/file-records.js';
import {
  type FileText,
  type FileToPut,
  type FileTouch,
  type FileVersion,
  isSameVersion,
  type PassageEmbedding,
  type PassageStore,
  type PendingPage,
  type PendingText,
  type PutOptions,
  type ReadOptions,
  type RemoveOptions,
  type SeenFile,
  type StoreCounts,
  type StoredFile,
  type TextEmbedding,
} from '../../storage/passage-store.js';
import type { RankedCandidate, ReadResult, Retrieval, Retrieved } from '../../storage/retrieval.js';
import { checkEmbedding } from '../../vectors/vector-index.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import { type FileHead, isSearched, storedFileOf } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import { textOfHead } from '../files/head-text.js';
import { byteOrder } from '../records/byte-order.js';
import type { KeyLocks } from '../records/key-locks.js';
import type { FilePuts } from './file-puts.js';
import type { FileWriter } from './file-writer.js';
import type { PassageTexts } from './passage-texts.js';
import type { TermFrequencies } from './term-frequencies.js';
import type { WeaviateReader } from './weaviate-reader.js';
import type { WeaviateRetriever } from './weaviate-retriever.js';

/** The parts of a passage store. */
export interface PassageStoreParts {
  readonly dimensions: number;
  readonly heads: FileHeads;
  readonly contents: ContentPieces;
  readonly texts: PassageTexts;
  readonly frequencies: TermFrequencies;
  readonly retriever: WeaviateRetriever;
  readonly reader: WeaviateReader;
  readonly writer: FileWriter;
  readonly puts: FilePuts;
  /** Shared with what else writes the files of the bot in this process. */
  readonly locks: KeyLocks;
  /** Throws `MODEL_MISMATCH`, `BOT_MISSING`. */
  readonly checkModel: () => Promise<void>;
  /** Removes what re-embeddings with other models have left. */
  readonly sweepModels: () => Promise<void>;
}

/** The passages of one bot, embedded with one model, in a Weaviate cluster. */
export class WeaviatePassageStore implements PassageStore {
  /** Each waits for several answers of the cluster; what they insert at the same time goes in common requests. */
  readonly putsAtOnce = 32;
  readonly embedsFirst = true;
  /** Reading a candidate takes long, and the first hits are those of 500; see docs/decisions/128. */
  readonly pool = 200;
  readonly #parts: PassageStoreParts;

  constructor(parts: PassageStoreParts) {
    this.#parts = parts;
  }

  async files(): Promise<StoredFile[]> {
    return (await this.#checked(this.#present())).map(storedFileOf);
  }

  async file(key: string): Promise<StoredFile | undefined> {
    const head = await this.#checked(this.#parts.heads.find(key));
    return head && !hasExpired(head) ? storedFileOf(head) : undefined;
  }

  async seenFiles(): Promise<SeenFile[]> {
    return (await this.#checked(this.#present())).flatMap(({ key, folder, size, mtime, ctime }) =>
      folder === null ? [] : [{ key, folder, size, mtime, ctime }],
    );
  }

  async text(key: string): Promise<FileText | undefined> {
    for (;;) {
      const head = await this.#checked(this.#parts.heads.find(key));
      if (!head || !isSearched(head)) return undefined;
      const text = await textOfHead(head, this.#parts);
      if (text !== undefined) return { id: head.id, key, folder: head.folder, text };
    }
  }

  async retrieve(query: Retrieval): Promise<Retrieved> {
    try {
      return await this.#parts.retriever.retrieve(query);
    } catch (error) {
      await this.#parts.checkModel();
      throw error;
    }
  }

  async read(ranked: readonly RankedCandidate[], options: ReadOptions): Promise<ReadResult> {
    return this.#parts.reader.read(ranked, options);
  }

  async passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#checked(this.#parts.reader.passages(fileId, range));
  }

  async embeddingOf(passageId: string): Promise<PassageEmbedding | undefined> {
    return this.#checked(this.#parts.reader.embeddingOf(passageId));
  }

  async embedded({ tags = {}, paths = [], limit }: Pick<Retrieval, 'tags' | 'paths' | 'limit'>) {
    const isIn = pathFilter(paths);
    const heads = (await this.#checked(this.#present())).filter((head) => isSearched(head) && isIn(head.key));
    const passing = heads.filter((head) => passesTags(head.tags, tags));
    return this.#parts.reader.embedded(passing, limit) satisfies Promise<EmbeddedPassage[]>;
  }

  async counts(): Promise<StoreCounts> {
    const { heads } = this.#parts;
    const [files, { passages, embedded }] = [await heads.all(), await this.#checked(this.#totals())];
    const folders = [...new Set(files.map(({ folder }) => folder))].sort((a, b) => byteOrder(a ?? '', b ?? ''));
    return {
      files: files.length,
      passages,
      embedded,
      folders: folders.map((folder) => ({ folder, files: files.filter((file) => file.folder === folder).length })),
      warnings: files.flatMap(({ key, warnings }) => warnings.map((reason) => ({ key, reason }))),
    };
  }

  async coverage(): Promise<number> {
    const { passages, embedded } = await this.#checked(this.#totals());
    return passages === 0 ? 1 : embedded / passages;
  }

  async indexKind(): Promise<'hnsw'> {
    return 'hnsw';
  }

  async missing(texts: readonly string[]): Promise<string[]> {
    const known = await this.#checked(this.#parts.texts.known(texts));
    return [...new Set(texts)].filter((text) => !known.get(text)?.embedding);
  }

  async keysOf(text: number): Promise<readonly string[]> {
    return this.#checked(this.#parts.texts.keysOf(text));
  }

  async put(file: FileToPut, options: PutOptions): Promise<boolean> {
    for (const embedding of options.embeddings?.values() ?? []) checkEmbedding(embedding, this.#parts.dimensions);
    return this.#parts.locks.run([file.key], async () => {
      await this.#parts.checkModel();
      return this.#parts.puts.put(file, options);
    });
  }

  async touch(expected: FileVersion, touch: FileTouch): Promise<boolean> {
    const { heads, writer } = this.#parts;
    const before = await this.#checked(heads.byId(expected.id));
    if (!before || !isSameVersion(before, expected)) return false;
    return this.#parts.locks.run([before.key, touch.key], async () => {
      const changed = { ...before, ...touch };
      if (touch.key !== before.key) {
        const holder = await heads.find(touch.key);
        if (holder && !hasExpired(holder)) return false;
        if (holder) await writer.remove(holder);
        return writer.rewrite(before, changed);
      }
      return (await writer.describe(before, changed)) !== undefined;
    });
  }

  async remove(key: string, { only, signal }: RemoveOptions = {}): Promise<boolean> {
    assertNotAborted(signal);
    return this.#parts.locks.run([key], async () => {
      const head = await this.#checked(this.#parts.heads.find(key));
      if (!head || (only && !isSameVersion(head, { ...only, version: only.version ?? head.version }))) return false;
      // A file that has expired is absent already, unless it is meant.
      const isThere = only !== undefined || !hasExpired(head);
      return (await this.#parts.writer.remove(head)) && isThere;
    });
  }

  async keep(embeddings: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const embedding of embeddings.values()) checkEmbedding(embedding, this.#parts.dimensions);
    this.#parts.texts.keep(embeddings);
  }

  async pending(page: PendingPage): Promise<PendingText[]> {
    return this.#checked(this.#parts.texts.pending(page));
  }

  async countPending(): Promise<number> {
    return this.#checked(this.#parts.texts.count());
  }

  async putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void> {
    for (const { embedding } of embeddings) checkEmbedding(embedding, this.#parts.dimensions);
    await this.#parts.checkModel();
    await this.#parts.texts.put(embeddings);
  }

  async compact(): Promise<void> {
    this.#parts.texts.dropKept();
    // First, as requests to the tenants of a deleted bot are retried for a second.
    await this.#parts.checkModel();
    await this.#parts.writer.sweep();
    await this.#parts.sweepModels();
  }

  async flush(): Promise<void> {
    await this.compact();
  }

  async close(): Promise<void> {}

  /** Files that have not expired, by key. */
  async #present(): Promise<FileHead[]> {
    return (await this.#parts.heads.all()).filter((head) => !hasExpired(head));
  }

  /** The result of reading, if the bot has the model still: the passages of one that was replaced are removed later. */
  async #checked<T>(reading: Promise<T>): Promise<T> {
    const [read, checked] = await Promise.allSettled([reading, this.#parts.checkModel()]);
    if (checked.status === 'rejected') throw checked.reason;
    if (read.status === 'rejected') throw read.reason;
    return read.value;
  }

  async #totals() {
    return this.#parts.frequencies.readTotals();
  }
}
