import { existsSync } from 'node:fs';
import path from 'node:path';
import { BotIndex } from './bot-index.js';
import type { Embedder, ModelCard, SimilarityScale } from './embed/embedder.js';
import { type ModelSource, openEmbedder } from './embed/open.js';
import { measureSimilarity } from './embed/similarity-scale.js';
import { EmbeddedStore } from './embedded-store.js';
import { SearchEngine } from './engine.js';
import { WaymarkError } from './errors.js';
import { ParsePool } from './indexing/parse-pool.js';
import type { Cutting } from './markdown/gather.js';
import { type BotRow, Bots, type ModelRow } from './store/bots.js';
import { type Database, openDatabase, sqliteError } from './store/database.js';
import { Embeddings } from './store/embeddings.js';
import { Files } from './store/files.js';
import { Passages } from './store/passages.js';
import { Postings } from './store/postings.js';
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
  /**
   * Tokens of text that a passage gathers at most: 16 to what the model reads; 192 unless given, or what the model reads. To be given whenever the
   * index is opened for indexing: files that were cut otherwise are cut again.
   */
  readonly passageTokens?: number | undefined;
  /** Whether the headings above a passage are embedded with it; true unless given. As `passageTokens`, part of the cut. */
  readonly embedBreadcrumb?: boolean | undefined;
  /** Texts embedded at once, each in a process of its own; the number of cores unless given. */
  readonly processes?: number | undefined;
  /** Told what goes on working, but not as well as it could; `process.emitWarning` unless given. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Tokens that a passage gathers; chosen on the development questions, see ARCHITECTURE.md. */
const PASSAGE_TOKENS = 192;
const FEWEST_PASSAGE_TOKENS = 16;

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
    const cutting = cuttingOf(options, card);
    const files = new Files(database, bot.number);
    if (recorded && recorded.fingerprint !== card.fingerprint && files.counts().files > 0) {
      throw mismatch({ bot, recorded, card });
    }
    const number = bots.setModel(bot.number, { card, location: opened.location });
    const model = { number, fingerprint: card.fingerprint };
    const embeddings = new Embeddings(database, { bot: bot.number, model });
    const postings = new Postings(database, bot.number);
    const passages = new Passages(database, { embeddings, postings, bot: bot.number });
    const snapshots = new Snapshots(database, bot.number);
    const warn = options.onWarning ?? ((message) => process.emitWarning(message, 'WaymarkWarning'));
    const { index: kind = 'auto' } = options;
    const index = new BotIndex({ embeddings, snapshots, dimensions: card.dimensions, kind, warn });
    const store = new EmbeddedStore({ database, files, passages, embeddings, postings, index });
    const parser = new ParsePool({ counter: embedder.counter, cutting, maxTokens: card.maxTokens });
    const scale = similarityScale(embedder, { bots, model: number });
    return new SearchEngine({ file, database, bots, bot, index, store, embedder, scale, parser, cutting });
  } catch (error) {
    database?.close();
    await opened?.embedder.close();
    throw sqliteError(error, file);
  }
}

function cuttingOf(
  options: Pick<EngineOptions, 'passageTokens' | 'embedBreadcrumb'>,
  { maxTokens }: ModelCard,
): Cutting {
  const { passageTokens = Math.min(PASSAGE_TOKENS, maxTokens), embedBreadcrumb = true } = options;
  if (Number.isInteger(passageTokens) && passageTokens >= FEWEST_PASSAGE_TOKENS && passageTokens <= maxTokens) {
    return { budget: passageTokens, embedBreadcrumb };
  }
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `passageTokens must be an integer from ${FEWEST_PASSAGE_TOKENS} to ${maxTokens}; it is ${passageTokens}.`,
  );
}

/** Of a model that does not say it on its card: measured once, and remembered in the database. */
function similarityScale(
  embedder: Embedder,
  { bots, model }: { bots: Bots; model: number },
): () => Promise<SimilarityScale> {
  let known = embedder.card.similarity;
  return async () => {
    known ??= bots.similarityOf(model);
    if (known) return known;
    known = await measureSimilarity(embedder);
    bots.setSimilarity(model, known);
    return known;
  };
}

function findBot(bots: Bots, nameOrId = DEFAULT_BOT): BotRow {
  const found = bots.find(nameOrId);
  if (found) return found;
  if (nameOrId === DEFAULT_BOT) return bots.ensure(DEFAULT_BOT);
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
