import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../domain/errors.js';
import { type ModelSource, openEmbedder } from '../embed/open.js';
import { type BotRow, Bots } from '../sqlite/accounts/bots.js';
import { type Database, openDatabase, sqliteError } from '../sqlite/connection/database.js';
import type { IndexKind } from '../vectors/vector-index.js';
import { assembleEngine } from './assemble-engine.js';
import type { SearchEngine } from './engine.js';
import type { OnStage } from './timed.js';

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
  /** `auto`: exact up to 1,500,000 passages, HNSW above. */
  readonly index?: IndexKind | undefined;
  /**
   * Passages above which `auto` takes HNSW.
   * @internal
   */
  readonly hnswFrom?: number | undefined;
  /**
   * Milliseconds for which a write waits while another process writes; 10,000 unless given.
   * @internal
   */
  readonly busyTimeout?: number | undefined;
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
  /** Told where the time of each search goes. */
  readonly onStage?: OnStage | undefined;
  /** Told what goes on working, but not as well as it could; `process.emitWarning` unless given. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const DEFAULT_BOT = 'default';

/**
 * Opens an index, made where there is none. Throws `INDEX_MISSING` (with `create: false`), `BOT_MISSING`,
 * `MODEL_MISSING`, `MODEL_INVALID`, `MODEL_MISMATCH`, `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`, `BUSY`.
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
    database = openDatabase(file, { create, busyTimeout: options.busyTimeout });
    const bots = new Bots(database);
    const bot = findBot(bots, options.bot);
    opened ??= await openEmbedder(options.model ?? recordedModel(bots, bot), { processes: options.processes });
    return assembleEngine(bot, { file, database, bots, opened, options });
  } catch (error) {
    database?.close();
    await opened?.embedder.close();
    throw sqliteError(error, file);
  }
}

/**
 * What the model of a bot's files is opened by again.
 * @internal
 */
export function recordedModel(bots: Bots, bot: BotRow): ModelSource | undefined {
  const source = bots.modelOf(bot.number)?.source;
  return source ? (JSON.parse(source) as ModelSource) : undefined;
}

/** @internal */
export function findBot(bots: Bots, nameOrId = DEFAULT_BOT): BotRow {
  const found = bots.find(nameOrId);
  if (found) return found;
  if (nameOrId === DEFAULT_BOT) return bots.ensure(DEFAULT_BOT);
  throw noBot(nameOrId);
}

function noBot(name: string): WaymarkError {
  return new WaymarkError('BOT_MISSING', `There is no bot "${name}": make it with: waymark bot create ${name}`);
}
