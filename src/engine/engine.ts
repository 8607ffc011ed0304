import path from 'node:path';
import { BotAdministration, botOf } from '../accounts/bot-administration.js';
import { type IndexFileOptions, validateFile, validateKey, validateTags } from '../contract/index-file.js';
import type { RequestOf, ResponseOf } from '../contract/operation.js';
import type { Bot, getBot, ListBotsRequest, listBots } from '../contract/operations/bots.js';
import type { SearchFilesRequest, SearchFilesResponse } from '../contract/operations/search.js';
import { type SearchFilesOptions, type SearchOptions, validateSearch } from '../contract/search.js';
import { AnswerSize } from '../domain/answer-size.js';
import { WaymarkError } from '../domain/errors.js';
import type { Hit, Passage } from '../domain/passage.js';
import type { Embedder, ModelCard, SimilarityScale } from '../embed/embedder.js';
import type { Cutting } from '../formats/parser.js';
import { type IndexFileResult, indexFile } from '../indexing/index-file.js';
import { type IndexFolderOptions, type IndexFolderResult, indexFolder } from '../indexing/index-folder.js';
import type { Indexing } from '../indexing/indexing.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import { type GivenPassages, setPassages } from '../indexing/set-passages.js';
import { bestSentence } from '../search/highlight.js';
import { type SearchParts, search } from '../search/search.js';
import { searchFiles } from '../search/search-files.js';
import type { BotRecord } from '../storage/accounts.js';
import type { PassageStore, StoreCounts } from '../storage/passage-store.js';
import type { OnStage } from '../storage/stage.js';
import type { UnfinishedReembedding } from '../storage/staged-files.js';
import type { Storage } from '../storage/storage.js';

/** What an index holds. */
export interface EngineStatus extends StoreCounts {
  /** Absolute path. */
  readonly database: string;
  /** Size of the database, including the pages that are still in its log. */
  readonly bytes: number;
  readonly bot: Bot;
  /** The model of the bot's files. */
  readonly model: ModelCard;
  /** The vector index that serves now. */
  readonly index: 'exact' | 'hnsw';
  /** Progress of `reembed`, if it is running or was stopped. */
  readonly reembedding?: UnfinishedReembedding;
}

/** @internal */
export interface EngineParts {
  readonly storage: Storage;
  readonly bot: BotRecord;
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly scale: () => Promise<SimilarityScale>;
  readonly parser: ParsePool;
  readonly cutting: Cutting;
  /** Whether closing the engine closes embedder, parser and storage. */
  readonly ownsResources: boolean;
  readonly onStage: OnStage | undefined;
  readonly warn: (message: string) => void;
}

/** Changes of single files between two compactions. */
const CHANGES_PER_COMPACTION = 100;

/**
 * Indexes and searches the files of one bot. Close it when done.
 *
 * Several processes may have one database open: all of them can search at any time, and one at a time can write. A
 * write waits up to 10 seconds for another process, then the call throws `BUSY`; repeated, it continues where it
 * stopped. Once a call that changes something has returned, neither a kill of the process nor a power failure loses the
 * change.
 *
 * After another process has re-embedded the files with another model (`reembed`), every call that reads or writes them
 * throws `MODEL_MISMATCH`: open the engine again. If the database was deleted or moved, calls that write throw
 * `DATABASE_MOVED`; if another file has taken its place, every call does.
 */
export class SearchEngine {
  readonly #parts: EngineParts;
  readonly #administration: BotAdministration;
  readonly #indexing: Indexing;
  readonly #searching: SearchParts;
  /** Runs over folders, one after the other. */
  #folderRun: Promise<unknown> = Promise.resolve();
  /** Running calls: closing waits for them. */
  readonly #calls = new Set<Promise<unknown>>();
  /** Whether files changed since the store was last flushed. */
  #isDirty = false;
  #changes = 0;
  #closing: Promise<void> | undefined;
  /** Stops runs over folders when the engine is closed. */
  readonly #stop = new AbortController();

  /** @internal */
  constructor(parts: EngineParts) {
    const { storage, store, embedder, scale, parser, cutting, onStage } = parts;
    this.#parts = parts;
    this.#administration = new BotAdministration(storage.accounts.bots);
    this.#indexing = { store, embedder, parser, cutting, base: path.dirname(storage.location) };
    this.#searching = { store, embedder, scale, onStage };
  }

  /**
   * Brings the index up to date with a folder: reads new and changed files, removes deleted ones. Throws
   * `FOLDER_MISSING`, `INVALID_ARGUMENT`, `ABORTED`. A file that fails is reported in the result; the others continue.
   */
  async indexFolder(folder: string, options: IndexFolderOptions = {}): Promise<IndexFolderResult> {
    return this.#call(async () => {
      const tags = validateTags(options.tags);
      const run = this.#folderRun.then(() => {
        if (this.#closing) throw closedError();
        const signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
        return indexFolder(folder, { ...options, tags, signal, ...this.#indexing });
      });
      this.#folderRun = run.catch(() => {});
      const result = await run;
      const { storage, bot } = this.#parts;
      if (result.failed.length === 0) await storage.accounts.bots.markIndexed(bot.id);
      await storage.sync();
      return result;
    });
  }

  /**
   * Indexes a text under a key, replacing the file of that key. Searches find it once this returns. Throws
   * `INVALID_ARGUMENT`.
   */
  async indexFile(key: string, text: string, options: IndexFileOptions = {}): Promise<IndexFileResult> {
    return this.#call(async () => {
      const file = validateFile({ ...options, key, text });
      return this.#change(() => indexFile(file, this.#indexing));
    });
  }

  /** Removes a file and everything that only it used. Returns false if there is no file with that key. */
  async removeFile(key: string): Promise<boolean> {
    return this.#call(async () => {
      const valid = validateKey(key);
      return this.#change(() => this.#parts.store.remove(valid));
    });
  }

  /** Removes every file. */
  async removeAll(): Promise<void> {
    return this.#call(async () => {
      const { storage, store } = this.#parts;
      this.#isDirty = true;
      for (const { key } of await store.files()) await store.remove(key);
      await this.#maintain(() => store.compact());
      await storage.sync();
    });
  }

  /**
   * Replaces the passages of a file with those that a caller cut. Throws `INVALID_ARGUMENT` for one that is too long.
   */
  async setPassages(file: GivenPassages): Promise<void> {
    return this.#call(() => this.#change(() => setPassages(file, this.#indexing)));
  }

  /** The passages of a file at positions `from` to `to`, inclusive, as far as they exist. */
  async passagesOf(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#call(() => this.#parts.store.passages(fileId, range));
  }

  /** Whether a file with that key is indexed. */
  async hasFile(key: string): Promise<boolean> {
    return this.#call(async () => (await this.#parts.store.file(validateKey(key))) !== undefined);
  }

  /** The contract's file search; `options` are additions to it. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async searchFiles(request: SearchFilesRequest, options: SearchFilesOptions = {}): Promise<SearchFilesResponse> {
    return this.#call(() => searchFiles(request, { ...options, ...this.#searching }));
  }

  /** The passages that answer a query best, best first. Throws `INVALID_ARGUMENT`, `RESPONSE_TOO_LARGE`. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    return this.#call(async () => {
      const hits = await search(query, { ...validateSearch(query, options), ...this.#searching });
      const size = new AnswerSize('lower limit');
      for (const { file, passage } of hits) size.addPassage(file, passage.content);
      return hits.map(({ window: _, ...hit }) => hit);
    });
  }

  /**
   * Share of the passages whose embedding is stored, 0 to 1. During indexing the others are found by their words only.
   */
  async coverage(): Promise<number> {
    return this.#call(() => this.#parts.store.coverage());
  }

  /** The sentence of a text that is nearest to a query, in UTF-16 offsets; undefined if the text has no sentence. */
  async highlight(query: string, text: string): Promise<{ start: number; end: number } | undefined> {
    return this.#call(() => bestSentence(query, { text, embedder: this.#parts.embedder }));
  }

  /** What the index holds. */
  async status(): Promise<EngineStatus> {
    return this.#call(async () => {
      const { storage, store, embedder, bot } = this.#parts;
      const reembedding = await storage.reembeddings.unfinished(bot.id);
      return {
        ...(await store.counts()),
        database: storage.location,
        bytes: await storage.size(),
        bot: botOf(await this.#administration.find(bot.id)),
        model: embedder.card,
        index: await store.indexKind(),
        ...(reembedding && { reembedding }),
      };
    });
  }

  /** The bots of the database. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}): Promise<ResponseOf<typeof listBots>> {
    return this.#call(() => this.#administration.listBots(request));
  }

  /** A bot by id or name. Defaults to the engine's own. Throws `BOT_MISSING`. */
  async getBot(request: RequestOf<typeof getBot> = { id: this.#parts.bot.id }): Promise<ResponseOf<typeof getBot>> {
    return this.#call(() => this.#administration.getBot(request));
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async createBot(name: string): Promise<Bot> {
    return this.#call(async () => {
      const bot = await this.#administration.createBot(name);
      await this.#parts.storage.sync();
      return bot;
    });
  }

  /**
   * Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database.
   * @internal
   */
  check(): void {
    if (this.#closing) throw closedError();
    this.#parts.storage.check();
  }

  /**
   * Ends processes and threads and closes the database. Running calls end with `ENGINE_CLOSED`. May be called twice.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { embedder, parser, store, storage, ownsResources } = this.#parts;
    this.#stop.abort();
    try {
      if (ownsResources) await Promise.all([embedder.close(), parser.close()]);
      await Promise.allSettled(this.#calls);
      if (this.#isDirty) await this.#maintain(() => store.flush());
    } finally {
      await store.close();
      if (ownsResources) storage.close();
    }
  }

  /** Compacts or flushes the store. A failure loses nothing: it is a warning, and the next run does the work. */
  async #maintain(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The process that re-embedded the files or deleted the bot has flushed the store.
      const code = error instanceof WaymarkError ? error.code : undefined;
      if (code === 'MODEL_MISMATCH' || code === 'BOT_MISSING') return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.warn(`Everything is stored, but the index could not be compacted: ${reason}`);
    }
  }

  /** Changes a file. The store is compacted regularly, since a service may run for months. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    this.#isDirty = true;
    const result = await work();
    this.#changes += 1;
    if (this.#changes % CHANGES_PER_COMPACTION === 0) await this.#maintain(() => this.#parts.store.compact());
    await this.#parts.storage.sync();
    return result;
  }

  /** Runs a call that needs an open engine. */
  async #call<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const call = work();
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      throw this.#closing ? closedError(error) : error;
    } finally {
      this.#calls.delete(call);
    }
  }
}

function closedError(cause?: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.', { cause });
}
