import path from 'node:path';
import { validateId, validateName } from '../contract/bots.js';
import type { File } from '../contract/operations.js';
import { type Token, validateRole } from '../contract/tokens.js';
import type { Workspace } from '../contract/workspaces.js';
import { WaymarkError } from '../domain/errors.js';
import { openEmbedder } from '../embed/open.js';
import { assembleEngine, cuttingOf, parserOf, warnerOf } from '../engine/assemble-engine.js';
import { BotAdministration } from '../engine/bot-administration.js';
import type { SearchEngine } from '../engine/engine.js';
import { type EngineOptions, recordedModel } from '../engine/open-engine.js';
import { type BotRow, Bots } from '../sqlite/accounts/bots.js';
import { Tokens } from '../sqlite/accounts/tokens.js';
import { Workspaces } from '../sqlite/accounts/workspaces.js';
import { type Database, openDatabase, sqliteError } from '../sqlite/connection/database.js';
import { refuseReplaced } from '../sqlite/connection/guard.js';
import { syncLog } from '../sqlite/connection/sync-log.js';
import { FileRecords } from '../sqlite/files/file-records.js';
import { Uploads } from '../sqlite/files/uploads.js';
import { BotFiles, type WithEngine } from './bot-files.js';
import { type Opened, type SharedModel, SharedModels } from './shared-models.js';
import { UploadQueue } from './upload-queue.js';

export type HostOptions = Omit<EngineOptions, 'bot'>;

/** A bot's engine, and its model. */
interface Running {
  readonly model: SharedModel;
  readonly engine: Promise<SearchEngine>;
}

/**
 * Opens a database for all its workspaces and bots, as a service does. Throws what `openEngine` throws. The model is that
 * of bots without files; those that have files keep theirs.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const file = path.resolve(options.database);
  const database = openDatabase(file, { create: options.create ?? true, busyTimeout: options.busyTimeout });
  let host: Host | undefined;
  try {
    host = new Host({ file, database, options, opened: await openEmbedder(options.model, options) });
    await host.resume();
    return host;
  } catch (error) {
    await host?.close();
    database.close();
    throw sqliteError(error, file);
  }
}

/**
 * Workspaces, tokens, bots and their files, over one database. Close it when done. What changes something throws `BUSY`
 * where another process has been writing for longer than 10 seconds. When a call that changes files has returned, neither
 * a kill of the process nor a power failure loses it; of workspaces, bots and tokens a power failure may, until the host
 * is closed.
 */
export class Host {
  readonly #file: string;
  readonly #database: Database;
  readonly #options: HostOptions;
  readonly #bots: Bots;
  readonly #workspaces: Workspaces;
  readonly #tokens: Tokens;
  readonly #uploads: Uploads;
  readonly #queue = new UploadQueue();
  readonly #running = new Map<number, Running>();
  readonly #files = new Map<number, BotFiles>();
  /** Engines whose bot was embedded anew: they end with what they had begun. */
  readonly #replaced = new Set<Promise<void>>();
  readonly #models: SharedModels;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(parts: { file: string; database: Database; options: HostOptions; opened: Opened }) {
    this.#file = parts.file;
    this.#database = parts.database;
    this.#options = parts.options;
    this.#bots = new Bots(parts.database);
    this.#workspaces = new Workspaces(parts.database);
    this.#tokens = new Tokens(parts.database);
    this.#uploads = new Uploads(parts.database);
    // For bots without files, as long as the host is open.
    this.#models = new SharedModels(parts.options);
    this.#models.take(parts.options.model, { opened: parts.opened });
  }

  /**
   * Starts the bots that have files to be indexed: those that were uploaded before the last end.
   * @internal
   */
  async resume(): Promise<void> {
    for (const bot of this.#bots.withPending()) await this.#open(bot);
  }

  /** Throws `WORKSPACE_EXISTS`, `INVALID_ARGUMENT`. */
  createWorkspace(name: string): Workspace {
    return this.#workspaces.create(validateName(name));
  }

  listWorkspaces(): Workspace[] {
    return this.#workspaces.list();
  }

  /** A token for a workspace, or for some of its bots; its text is told here only. Throws `WORKSPACE_MISSING`, `BOT_MISSING`. */
  createToken(
    options: Pick<Token, 'workspaceId' | 'name' | 'role'> & { bots?: readonly string[]; expiresAt?: string },
  ): Token & { token: string } {
    const { id: workspaceId } = this.#workspace(options.workspaceId);
    const { bots = [], expiresAt } = options;
    if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
      const message = `expiresAt must be an ISO 8601 time, such as 2030-01-31T12:00:00Z; it is "${expiresAt}".`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
    return this.#tokens.create({
      workspaceId,
      name: validateName(options.name),
      role: validateRole(options.role),
      bots: bots.map((bot) => new BotAdministration(this.#bots, workspaceId).find(bot).id),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    });
  }

  listTokens(workspaceId?: string): Token[] {
    return this.#tokens.list(workspaceId);
  }

  /** Throws `TOKEN_MISSING`. */
  revokeToken(id: string): Token {
    return this.#tokens.revoke(id);
  }

  /** The token that a caller shows; undefined for one that is unknown, revoked or expired. Takes the same time for each. */
  authenticate(token: string): Token | undefined {
    this.#check();
    return this.#tokens.authenticate(token);
  }

  /**
   * The bots of a workspace, by its id or name; of all unless given. With `bots`, ids as a token has them, there are only
   * those, unless it is empty. Throws `WORKSPACE_MISSING`.
   */
  workspace(id?: string, { bots = [] }: { readonly bots?: readonly string[] } = {}): BotAdministration {
    const workspace = id === undefined ? undefined : this.#workspace(id).id;
    return new BotAdministration(this.#bots, workspace, bots);
  }

  /** The id of the workspace that a bot is of; undefined where there is no such bot. */
  workspaceOf(bot: string): string | undefined {
    return this.#bots.find(validateId(bot))?.workspace;
  }

  /** A bot's files, by its id or name. Throws `BOT_MISSING`. */
  async bot(id: string): Promise<BotFiles> {
    return this.#open(this.#bot(id));
  }

  /** Removes a bot with its files. Throws `BOT_MISSING`. */
  async deleteBot(id: string): Promise<void> {
    const bot = this.#bot(id);
    await this.#with(bot, (engine) => engine.removeAll());
    const running = this.#running.get(bot.number);
    this.#running.delete(bot.number);
    this.#files.delete(bot.number);
    if (running) await this.#end(running);
    this.#bots.remove(bot.number);
    await syncLog(this.#database);
  }

  /** Whether there is an upload for a secret, before its bytes are read. Throws `UPLOAD_MISSING`. */
  checkUpload(secret: string): void {
    if (!this.#uploads.isOpen(secret)) throw noUpload();
  }

  /** Takes the content of a file for a secret that `upsertFile` gave. Throws `UPLOAD_MISSING`. */
  async receive(secret: string, bytes: Uint8Array): Promise<File> {
    this.#check();
    const taken = this.#uploads.take(secret);
    if (!taken) throw noUpload();
    const bot = this.#bots.get(taken.bot);
    return (await this.#open(bot)).receive(taken.file, bytes);
  }

  /** Uploaded files that wait to be indexed. Throws `ENGINE_CLOSED`, `DATABASE_MOVED`. */
  status(): { pending: number } {
    this.#check();
    return { pending: this.#queue.waiting };
  }

  /** Ends what runs; what waits to be indexed is taken up at the next start. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      const closing = this.#queue.close();
      // What is being opened is waited for, so that it can be closed; what cannot be opened is told to who wants it.
      await this.#models.close();
      const running = await kept([...this.#running.values()].map(({ engine }) => engine));
      await closing;
      await Promise.all([...running.map((engine) => engine.close()), ...this.#replaced]);
      await syncLog(this.#database);
    } finally {
      this.#database.close();
    }
  }

  /** Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` where another database has taken this one's place. */
  #check(): void {
    if (this.#closing) throw closedError();
    refuseReplaced(this.#database);
  }

  /** A bot's files, once its engine runs. */
  async #open(bot: BotRow): Promise<BotFiles> {
    await this.#engine(bot);
    const known = this.#files.get(bot.number);
    if (known) return known;
    const records = new FileRecords(this.#database, bot.number);
    const engine: WithEngine = (work) => this.#with(bot, work);
    const sync = () => syncLog(this.#database);
    const parts = { engine, bot, bots: this.#bots, records, uploads: this.#uploads, queue: this.#queue, sync };
    const files = new BotFiles(parts);
    this.#files.set(bot.number, files);
    return files;
  }

  /** Once more with the next engine, where another process has embedded the files anew in between. */
  async #with<T>(bot: BotRow, work: (engine: SearchEngine) => Promise<T>): Promise<T> {
    this.#check();
    const engine = await this.#engine(bot);
    try {
      return await work(engine);
    } catch (error) {
      // Closed it is where others have noticed before.
      const code = error instanceof WaymarkError ? error.code : undefined;
      if (code !== 'MODEL_MISMATCH' && code !== 'ENGINE_CLOSED') throw error;
      const next = await this.#engine(bot);
      if (next === engine) throw error;
      return work(next);
    }
  }

  /** A bot's engine, with the model that its files are embedded with now. */
  async #engine(bot: BotRow): Promise<SearchEngine> {
    const running = this.#running.get(bot.number) ?? this.#start(bot);
    const engine = await running.engine;
    const recorded = this.#bots.modelOf(bot.number);
    if (!recorded || recorded.fingerprint === running.model.fingerprint) return engine;
    if (this.#running.get(bot.number) !== running) return this.#engine(bot);
    this.#replace(running);
    return this.#start(bot).engine;
  }

  #start(bot: BotRow): Running {
    const source = recordedModel(this.#bots, bot) ?? this.#options.model;
    const fingerprint = this.#bots.modelOf(bot.number)?.fingerprint;
    const model = this.#models.take(source, { fingerprint });
    const running = { model, engine: this.#assemble(bot, model) };
    this.#running.set(bot.number, running);
    running.engine.catch(() => {
      if (this.#running.get(bot.number) === running) this.#running.delete(bot.number);
      return this.#models.release(model);
    });
    return running;
  }

  async #assemble(bot: BotRow, model: SharedModel): Promise<SearchEngine> {
    const opened = await model.opened;
    const options = this.#options;
    model.parser ??= parserOf(opened.embedder, cuttingOf(options, opened.embedder.card));
    const { parser } = model;
    return assembleEngine(bot, {
      file: this.#file,
      database: this.#database,
      bots: this.#bots,
      opened,
      parser,
      options,
    });
  }

  /** What has been begun with it comes to its end. */
  #replace(running: Running): void {
    const ending = this.#end(running)
      .catch((error: unknown) => {
        warnerOf(this.#options)(
          `What a bot was searched with before it was embedded anew did not end well: ${String(error)}`,
        );
      })
      .finally(() => this.#replaced.delete(ending));
    this.#replaced.add(ending);
  }

  async #end({ engine, model }: Running): Promise<void> {
    await (await engine).close();
    await this.#models.release(model);
  }

  #bot(id: string): BotRow {
    this.#check();
    return new BotAdministration(this.#bots).find(id);
  }

  #workspace(id: string): Workspace {
    const found = this.#workspaces.find(id);
    if (found) return found;
    const message = `There is no workspace "${id}": waymark workspace list tells those that there are.`;
    throw new WaymarkError('WORKSPACE_MISSING', message);
  }
}

/** Those of the promises that are kept. */
async function kept<T>(promises: Iterable<Promise<T>>): Promise<T[]> {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

function closedError(): WaymarkError {
  return new WaymarkError('ENGINE_CLOSED', 'The host is closed: open it again with openHost.');
}

function noUpload(): WaymarkError {
  const message =
    'This address takes no upload: it was used, is over 15 minutes old, or never was. Upsert the file again.';
  return new WaymarkError('UPLOAD_MISSING', message);
}
