import path from 'node:path';
import type { Bot } from '../contract/bots.js';
import { type IndexFileOptions, validateFile, validateKey, validateTags } from '../contract/files.js';
import type { ListBotsRequest, PageMeta } from '../contract/operations.js';
import type { UnfinishedReembedding } from '../contract/reembedding.js';
import { type SearchOptions, validateSearch } from '../contract/search.js';
import type { SearchFilesOptions, SearchFilesRequest, SearchFilesResponse } from '../contract/search-files.js';
import { WaymarkError } from '../domain/errors.js';
import type { Hit, Passage } from '../domain/passage.js';
import type { Embedder, ModelCard, SimilarityScale } from '../embed/embedder.js';
import type { Cutting } from '../formats/markdown/gather.js';
import { type IndexFileResult, indexFile } from '../indexing/index-file.js';
import {
  type IndexFolderOptions,
  type IndexFolderResult,
  type Indexing,
  indexFolder,
} from '../indexing/index-folder.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import { type GivenPassages, setPassages } from '../indexing/set-passages.js';
import { bestSentence } from '../search/highlight.js';
import { search } from '../search/search.js';
import { searchFiles } from '../search/search-files.js';
import type { BotRow, Bots } from '../sqlite/accounts/bots.js';
import { type Database, sqliteError } from '../sqlite/connection/database.js';
import { refuseReplaced } from '../sqlite/connection/guard.js';
import { syncLog } from '../sqlite/connection/sync-log.js';
import type { BotIndex } from '../sqlite/embeddings/vector-cache.js';
import { unfinishedReembedding } from '../sqlite/reembedding/reembedding.js';
import type { PassageStore, StoreCounts } from '../storage/passage-store.js';
import { BotAdministration } from './bot-administration.js';

export interface EngineStatus extends StoreCounts {
  /** Absolute path. */
  readonly database: string;
  /** Size of the database, with what its log still holds. */
  readonly bytes: number;
  readonly bot: Bot;
  readonly model: ModelCard;
  readonly index: 'exact' | 'hnsw';
  /** What `reembed` has done so far, where it is under way or was stopped. */
  readonly reembedding?: UnfinishedReembedding;
}

/** @internal */
export interface Parts {
  readonly file: string;
  readonly database: Database;
  readonly bots: Bots;
  readonly bot: BotRow;
  readonly index: BotIndex;
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly scale: () => Promise<SimilarityScale>;
  readonly parser: ParsePool;
  readonly cutting: Cutting;
  /** Whether another closes embedder, parser and database. */
  readonly shared: boolean;
  readonly warn: (message: string) => void;
}

/** Changes of single files after which what they left unused is freed. */
const TIDIED_EVERY = 100;

/**
 * One bot's files: indexed, searched, told of. Close it when done. Several processes may have one database open: all of
 * them search at any time, and one at a time writes. A write waits for another's for up to 10 seconds, then the call
 * throws `BUSY`; made again it goes on from what was done. When a call that changes something has returned, neither a
 * kill of the process nor a power failure loses it.
 * Once another process has embedded the files anew with another model (`reembed`), all that reads or writes them throws
 * `MODEL_MISMATCH`: open it again.
 * Where its database was deleted or moved meanwhile, what writes throws `DATABASE_MOVED`, and where another took its place,
 * every call does.
 */
export class SearchEngine {
  readonly #parts: Parts;
  readonly #administration: BotAdministration;
  readonly #indexing: Indexing;
  /** Runs over folders, one after the other. */
  #run: Promise<unknown> = Promise.resolve();
  /** What is under way: closing waits for it. */
  readonly #tasks = new Set<Promise<unknown>>();
  /** Whether texts were put or removed since the indexes were last brought to disk. */
  #unsettled = false;
  #changes = 0;
  #closing: Promise<void> | undefined;
  /** Stops runs over folders when the engine is closed. */
  readonly #stop = new AbortController();

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#administration = new BotAdministration(parts.bots);
    this.#indexing = { ...parts, base: path.dirname(parts.file) };
  }

  /**
   * Makes the index hold what a folder of markdown holds: reads what is new or changed, removes what is gone. Throws
   * `FOLDER_MISSING`, `INVALID_ARGUMENT`, `ABORTED`; a file that fails is told of in the result and the others go on.
   */
  async indexFolder(folder: string, options: IndexFolderOptions = {}): Promise<IndexFolderResult> {
    return this.#do(async () => {
      const tags = validateTags(options.tags);
      const run = this.#run.then(() => {
        if (this.#closing) throw closedError();
        const signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
        return indexFolder(folder, { ...options, tags, signal, ...this.#indexing });
      });
      this.#run = run.catch(() => {});
      const result = await run;
      if (result.failed.length === 0) this.#parts.bots.deployed(this.#parts.bot.number);
      await syncLog(this.#parts.database);
      return result;
    });
  }

  /** Indexes a text under a key, in place of what that key had; it is found once this returns. Throws `INVALID_ARGUMENT`. */
  async indexFile(key: string, text: string, options: IndexFileOptions = {}): Promise<IndexFileResult> {
    return this.#do(async () => {
      const file = validateFile({ ...options, key, text });
      return this.#change(() => indexFile(file, this.#indexing));
    });
  }

  /** Removes a file and all that only it used; false where there is none of that key. */
  async removeFile(key: string): Promise<boolean> {
    return this.#do(async () => {
      const valid = validateKey(key);
      return this.#change(() => this.#parts.store.remove(valid));
    });
  }

  /** Removes every file. */
  async removeAll(): Promise<void> {
    return this.#do(async () => {
      this.#unsettled = true;
      for (const { key } of await this.#parts.store.files()) await this.#parts.store.remove(key);
      await syncLog(this.#parts.database);
    });
  }

  /** Puts passages that a caller cut in place of a file's own. Throws `INVALID_ARGUMENT` for one that is too long. */
  async setPassages(file: GivenPassages): Promise<void> {
    return this.#do(async () => {
      await this.#change(() => setPassages(file, this.#indexing));
    });
  }

  /** The passages of a file from position `from` to `to`, as far as there are such. */
  async passagesOf(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]> {
    return this.#do(async () => (await this.#parts.store.windows([{ fileId, ...range }]))[0]?.passages ?? []);
  }

  /** Whether a file of that key is indexed. */
  async hasFile(key: string): Promise<boolean> {
    return this.#do(async () => (await this.#parts.store.file(validateKey(key))) !== undefined);
  }

  /**
   * The contract's file search; the options are what it has no words for. Throws `INVALID_ARGUMENT` with the parameter,
   * its value and its range.
   */
  async searchFiles(request: SearchFilesRequest, options: SearchFilesOptions = {}): Promise<SearchFilesResponse> {
    const { store, embedder, scale } = this.#parts;
    return this.#do(async () => searchFiles(request, { ...options, store, embedder, scale }));
  }

  /** The passages that answer a query best, best first. Throws `INVALID_ARGUMENT`. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    const { store, embedder, scale } = this.#parts;
    return this.#do(async () => search(query, { ...validateSearch(query, options), store, embedder, scale }));
  }

  /** Share of the passages whose embedding is there, 0..1: while files are indexed, the others are found by their words only. */
  async coverage(): Promise<number> {
    return this.#do(() => this.#parts.store.coverage());
  }

  /** Where in a text the sentence is that is nearest to a query, in UTF-16 offsets; undefined where it has none. */
  async highlight(query: string, text: string): Promise<{ start: number; end: number } | undefined> {
    return this.#do(() => bestSentence(query, { text, embedder: this.#parts.embedder }));
  }

  async status(): Promise<EngineStatus> {
    return this.#do(async () => {
      const { file, database, store, embedder, index } = this.#parts;
      const counts = await store.counts();
      const pragma = (name: string) => Number(database.pragma(name, { simple: true }));
      const bytes = pragma('page_count') * pragma('page_size');
      const kind = index.kind(counts.embedded);
      const { bot } = await this.getBot();
      const unfinished = unfinishedReembedding(database, this.#parts.bot.number);
      return {
        ...counts,
        database: file,
        bytes,
        bot,
        model: embedder.card,
        index: kind,
        ...(unfinished && { reembedding: unfinished }),
      };
    });
  }

  /** The bots of the database. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}): Promise<{ bots: Bot[]; meta: PageMeta }> {
    return this.#do(() => this.#administration.listBots(request));
  }

  /** A bot by id or name; the engine's own unless given. Throws `BOT_MISSING`. */
  async getBot(request: { readonly id: string } = this.#parts.bot): Promise<{ bot: Bot }> {
    return this.#do(() => this.#administration.getBot(request));
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async createBot(name: string): Promise<Bot> {
    return this.#do(async () => {
      const bot = this.#administration.createBot(name);
      await syncLog(this.#parts.database);
      return bot;
    });
  }

  /**
   * Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` where another database has taken this one's place.
   * @internal
   */
  check(): void {
    if (this.#closing) throw closedError();
    refuseReplaced(this.#parts.database);
  }

  /** Ends processes and threads and closes the database; what cannot end well is `ENGINE_CLOSED`. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { embedder, parser, store, database, shared } = this.#parts;
    this.#stop.abort();
    try {
      if (!shared) await Promise.all([embedder.close(), parser.close()]);
      await Promise.allSettled(this.#tasks);
      if (this.#unsettled) await this.#tidied(() => store.settle());
    } finally {
      await store.close();
      if (!shared) database.close();
    }
  }

  /** Puts the store in order. Where that fails nothing is lost: it is warned of, and done the next time. */
  async #tidied(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Whoever embedded the files anew, or deleted the bot, has settled what there is.
      const code = error instanceof WaymarkError ? error.code : undefined;
      if (code === 'MODEL_MISMATCH' || code === 'BOT_MISSING') return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.warn(`All is stored, but the index could not be tidied: ${reason}`);
    }
  }

  /** Changes a file; the store is tidied now and then, since nothing else may do it for as long as a service runs. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    this.#unsettled = true;
    const done = await work();
    this.#changes += 1;
    if (this.#changes % TIDIED_EVERY === 0) await this.#tidied(() => this.#parts.store.tidy());
    await syncLog(this.#parts.database);
    return done;
  }

  /** Does what needs an open engine. */
  async #do<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const task = work();
    this.#tasks.add(task);
    try {
      return await task;
    } catch (error) {
      throw this.#closing ? closedError(error) : sqliteError(error, this.#parts.file);
    } finally {
      this.#tasks.delete(task);
    }
  }
}

function closedError(cause?: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.', { cause });
}
