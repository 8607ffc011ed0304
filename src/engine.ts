import { existsSync } from 'node:fs';
import path from 'node:path';
import { BotIndex } from './bot-index.js';
import { type Bot, validateBotName } from './contract/bots.js';
import { type IndexFileOptions, validateFile, validateKey, validateTags } from './contract/files.js';
import { type SearchOptions, validateSearch } from './contract/search.js';
import type { SearchFilesRequest, SearchFilesResponse } from './contract/search-files.js';
import type { Embedder, ModelCard } from './embed/embedder.js';
import { type ModelSource, openEmbedder } from './embed/open.js';
import { EmbeddedStore } from './embedded-store.js';
import { WaymarkError } from './errors.js';
import { type IndexFileResult, indexFile } from './indexing/index-file.js';
import {
  type IndexFolderOptions,
  type IndexFolderResult,
  type Indexing,
  indexFolder,
} from './indexing/index-folder.js';
import { ParsePool } from './indexing/parse-pool.js';
import type { Hit } from './passage.js';
import type { PassageStore, StoreCounts } from './passage-store.js';
import { bestSentence } from './query/highlight.js';
import { search } from './query/search.js';
import { searchFiles } from './query/search-files.js';
import { type BotRow, Bots, type ModelRow } from './store/bots.js';
import { type Database, databaseError, openDatabase } from './store/database.js';
import { Embeddings } from './store/embeddings.js';
import { Files } from './store/files.js';
import { Passages } from './store/passages.js';
import { Snapshots } from './store/snapshots.js';
import type { IndexKind } from './vectors/vector-index.js';

export interface EngineOptions {
  /** Path of the SQLite file. */
  readonly database: string;
  /** Name or id of a bot; `default`, made when needed, unless given. */
  readonly bot?: string | undefined;
  /**
   * The bundled bge-small-en-v1.5 unless given, or the model that the bot's files were embedded with. An embedder that
   * is given is closed with the engine.
   */
  readonly model?: ModelSource | undefined;
  /** `auto`: exact up to 50,000 passages, HNSW above. */
  readonly index?: IndexKind | undefined;
  /** Whether a missing database is made; true unless given. */
  readonly create?: boolean | undefined;
  /** Texts embedded at once, each in a process of its own; the number of cores unless given. */
  readonly processes?: number | undefined;
  /** Told what goes on working, but not as well as it could; `process.emitWarning` unless given. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface EngineStatus extends StoreCounts {
  /** Absolute path. */
  readonly database: string;
  /** Size of the database, with what its log still holds. */
  readonly bytes: number;
  readonly bot: Bot;
  readonly model: ModelCard;
  readonly index: 'exact' | 'hnsw';
}

/** Tokens that a passage gathers; chosen on the development questions, see ARCHITECTURE.md. */
const BUDGET = 192;

const DEFAULT_BOT = 'default';

/**
 * Opens an index, made where there is none. Throws `INDEX_MISSING` (with `create: false`), `BOT_MISSING`,
 * `MODEL_MISSING`, `MODEL_INVALID`, `MODEL_MISMATCH`, `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`.
 */
export async function openEngine(options: EngineOptions): Promise<SearchEngine> {
  const file = path.resolve(options.database);
  const create = options.create ?? true;
  let database: Database | undefined;
  let opened: Awaited<ReturnType<typeof openEmbedder>> | undefined;
  try {
    if (create && !existsSync(file)) {
      // What is wrong is told before a database is made.
      if (options.bot !== undefined && options.bot !== DEFAULT_BOT) throw noBot(options.bot);
      opened = await openEmbedder(options.model, { processes: options.processes });
    }
    database = openDatabase(file, { create });
    const bots = new Bots(database);
    const bot = findBot(bots, options.bot);
    const recorded = bots.modelOf(bot.number);
    const source = options.model ?? (recorded?.source ? (JSON.parse(recorded.source) as ModelSource) : undefined);
    opened ??= await openEmbedder(source, { processes: options.processes });
    const { embedder } = opened;
    const { card } = embedder;
    const files = new Files(database, bot.number);
    if (recorded && recorded.fingerprint !== card.fingerprint && files.counts().files > 0) {
      throw mismatch({ bot, recorded, card });
    }
    const number = bots.setModel(bot.number, { card, location: opened.location });
    const model = { number, fingerprint: card.fingerprint };
    const embeddings = new Embeddings(database, { bot: bot.number, model });
    const passages = new Passages(database, { embeddings, bot: bot.number });
    const snapshots = new Snapshots(database, bot.number);
    const warn = options.onWarning ?? ((message) => process.emitWarning(message, 'WaymarkWarning'));
    const { index: kind = 'auto' } = options;
    const index = new BotIndex({ embeddings, snapshots, dimensions: card.dimensions, kind, warn });
    const store = new EmbeddedStore({ database, files, passages, embeddings, index });
    const parser = new ParsePool({ counter: embedder.counter, budget: BUDGET, maxTokens: card.maxTokens });
    return new SearchEngine({ file, database, bots, bot, index, store, embedder, parser });
  } catch (error) {
    database?.close();
    await opened?.embedder.close();
    throw storeError(error, file);
  }
}

function findBot(bots: Bots, nameOrId = DEFAULT_BOT): BotRow {
  const found = bots.find(nameOrId);
  if (found) return found;
  if (nameOrId === DEFAULT_BOT) return bots.create(DEFAULT_BOT);
  throw noBot(nameOrId);
}

function noBot(name: string): WaymarkError {
  return new WaymarkError('BOT_MISSING', `There is no bot "${name}": make it with: waymark bot create ${name}`);
}

function mismatch({ bot, recorded, card }: { bot: BotRow; recorded: ModelRow; card: ModelCard }): WaymarkError {
  const remedy = recorded.source === null ? 'open it with that embedder' : 'leave the model out';
  return new WaymarkError(
    'MODEL_MISMATCH',
    `The files of bot "${bot.name}" were embedded with ${recorded.name}, not with this ${card.id}: ${remedy}, or index into another bot.`,
  );
}

/** SQLite's own failures in words; others as they are. */
function storeError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_') ? databaseError(error, file) : error;
}

/** @internal */
interface Parts {
  readonly file: string;
  readonly database: Database;
  readonly bots: Bots;
  readonly bot: BotRow;
  readonly index: BotIndex;
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly parser: ParsePool;
}

/** One bot's files: indexed, searched, told of. Close it when done. */
export class SearchEngine {
  readonly #parts: Parts;
  readonly #indexing: Indexing;
  /** Runs over folders, one after the other. */
  #run: Promise<unknown> = Promise.resolve();
  /** What is under way: closing waits for it. */
  readonly #tasks = new Set<Promise<unknown>>();
  /** Whether texts were put or removed since the indexes were last brought to disk. */
  #unsettled = false;
  #closing: Promise<void> | undefined;
  /** Stops runs over folders when the engine is closed. */
  readonly #stop = new AbortController();

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#indexing = { ...parts, budget: BUDGET, base: path.dirname(parts.file) };
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
      return result;
    });
  }

  /** Indexes a text under a key, in place of what that key had; it is found once this returns. Throws `INVALID_ARGUMENT`. */
  async indexFile(key: string, text: string, options: IndexFileOptions = {}): Promise<IndexFileResult> {
    return this.#do(async () => {
      const file = validateFile({ ...options, key, text });
      this.#unsettled = true;
      return indexFile(file, this.#indexing);
    });
  }

  /** Removes a file and all that only it used; false where there is none of that key. */
  async removeFile(key: string): Promise<boolean> {
    return this.#do(async () => {
      const valid = validateKey(key);
      this.#unsettled = true;
      return this.#parts.store.remove(valid);
    });
  }

  /**
   * The contract's file search. `positions` adds to `meta` where each match stands: offsets, lines, breadcrumb. Throws
   * `INVALID_ARGUMENT` with the parameter, its value and its range.
   */
  async searchFiles(
    request: SearchFilesRequest,
    options?: { readonly positions?: boolean },
  ): Promise<SearchFilesResponse> {
    const positions = options?.positions ?? false;
    return this.#do(() => searchFiles(request, { ...this.#parts, positions }));
  }

  /** The passages nearest to a query, best first. Throws `INVALID_ARGUMENT`. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    return this.#do(async () => search(query, { ...this.#parts, ...validateSearch(query, options) }));
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
      return { ...counts, database: file, bytes, bot: await this.getBot(), model: embedder.card, index: kind };
    });
  }

  /** Every bot of the database, oldest first. */
  async listBots(): Promise<Bot[]> {
    return this.#do(async () => this.#parts.bots.list().map(botOf));
  }

  /** A bot by id or name; the engine's own unless given. Throws `BOT_MISSING`. */
  async getBot(nameOrId: string = this.#parts.bot.id): Promise<Bot> {
    return this.#do(async () => {
      const found = this.#parts.bots.find(nameOrId);
      if (found) return botOf(found);
      throw new WaymarkError('BOT_MISSING', `There is no bot "${nameOrId}": listBots tells those that there are.`);
    });
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async createBot(name: string): Promise<Bot> {
    return this.#do(async () => botOf(this.#parts.bots.create(validateBotName(name))));
  }

  /** Ends processes and threads and closes the database; what cannot end well is `ENGINE_CLOSED`. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { embedder, parser, store } = this.#parts;
    this.#stop.abort();
    try {
      await embedder.close();
      await parser.close();
      await Promise.allSettled(this.#tasks);
      if (this.#unsettled) await store.settle();
    } finally {
      await store.close();
    }
  }

  /** Does what needs an open engine. */
  async #do<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw closedError();
    const task = work();
    this.#tasks.add(task);
    try {
      return await task;
    } catch (error) {
      throw this.#closing ? closedError(error) : storeError(error, this.#parts.file);
    } finally {
      this.#tasks.delete(task);
    }
  }
}

function closedError(cause?: unknown): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The engine is closed: open it again with openEngine.', { cause });
}

function botOf({ id, name, createdAt, updatedAt, deployedAt }: BotRow): Bot {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }) };
}
