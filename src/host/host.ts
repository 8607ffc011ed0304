import path from 'node:path';
import { AccessTokens } from '../accounts/access-tokens.js';
import { BotAdministration } from '../accounts/bot-administration.js';
import { validateId, validateName } from '../contract/names.js';
import type { File } from '../contract/operations/files.js';
import { type Token, validateRole } from '../contract/tokens.js';
import { shown } from '../contract/validate.js';
import type { Workspace } from '../contract/workspaces.js';
import { WaymarkError } from '../domain/errors.js';
import { type OpenedEmbedder, openEmbedder } from '../embed/open.js';
import type { SearchEngine } from '../engine/engine.js';
import { openStorage } from '../engine/open-engine.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { BotEngines, type HostOptions } from './bot-engines.js';
import { BotFiles } from './bot-files.js';
import { UploadQueue } from './upload-queue.js';
import { UploadSecrets } from './upload-secrets.js';

/**
 * Opens a database for all its workspaces and bots, as a service does. Throws what `openEngine` throws. `model` applies
 * to bots without files; bots with files keep theirs.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const storage = openStorage(path.resolve(options.database), options);
  let host: Host | undefined;
  try {
    host = new Host({ storage, options, opened: await openEmbedder(options.model, options) });
    await host.resume();
    return host;
  } catch (error) {
    await host?.close();
    storage.close();
    throw error;
  }
}

/**
 * Workspaces, tokens, bots and their files, over one database. Close it when done. Calls that change something throw
 * `BUSY` if another process has been writing for longer than 10 seconds. When a call that changes files has returned,
 * neither a kill of the process nor a power failure loses the change. Changes of workspaces, bots and tokens may be
 * lost by a power failure until the host is closed.
 */
export class Host {
  readonly #storage: Storage;
  readonly #tokens: AccessTokens;
  readonly #uploads: UploadSecrets;
  readonly #engines: BotEngines;
  readonly #queue = new UploadQueue();
  readonly #files = new Map<string, Promise<BotFiles>>();
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor({ storage, options, opened }: { storage: Storage; options: HostOptions; opened: OpenedEmbedder }) {
    this.#storage = storage;
    this.#tokens = new AccessTokens(storage.accounts.tokens);
    this.#uploads = new UploadSecrets(storage.uploads);
    this.#engines = new BotEngines({ storage, options, opened, advance: () => this.#queue.advance() });
  }

  /**
   * Opens the bots with files that were uploaded but not indexed before the last process ended.
   * @internal
   */
  async resume(): Promise<void> {
    for (const bot of await this.#storage.accounts.bots.withPendingFiles()) await this.#open(bot);
  }

  /** Throws `WORKSPACE_EXISTS`, `INVALID_ARGUMENT`. */
  async createWorkspace(name: string): Promise<Workspace> {
    return this.#storage.accounts.workspaces.create(validateName(name));
  }

  /** Oldest first. */
  async listWorkspaces(): Promise<readonly Workspace[]> {
    return this.#storage.accounts.workspaces.list();
  }

  /**
   * Creates a token for a workspace, or for some of its bots. Its text is returned only here. Throws
   * `WORKSPACE_MISSING`, `BOT_MISSING`, `INVALID_ARGUMENT`.
   */
  async createToken(
    options: Pick<Token, 'workspaceId' | 'name' | 'role'> & { bots?: readonly string[]; expiresAt?: string },
  ): Promise<Token & { token: string }> {
    const { bots = [], expiresAt } = options;
    const workspace = await this.#workspace(options.workspaceId);
    if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
      const message = `expiresAt must be an ISO 8601 time, such as 2030-01-31T12:00:00Z; it is "${expiresAt}".`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
    const name = validateName(options.name);
    const role = validateRole(options.role);
    const administration = new BotAdministration(this.#storage.accounts.bots, workspace.id);
    const ids: string[] = [];
    for (const bot of bots) ids.push((await administration.find(bot)).id);
    return this.#tokens.create({
      workspaceId: workspace.id,
      name,
      role,
      bots: ids,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    });
  }

  /** Oldest first. Defaults to the tokens of all workspaces. */
  async listTokens(workspaceId?: string): Promise<Token[]> {
    return this.#tokens.list(workspaceId);
  }

  /** Throws `TOKEN_MISSING`. */
  async revokeToken(id: string): Promise<Token> {
    return this.#tokens.revoke(id);
  }

  /** The token with this text; undefined if it is unknown, revoked or expired. Takes the same time in each case. */
  async authenticate(token: string): Promise<Token | undefined> {
    this.#check();
    return this.#tokens.authenticate(token);
  }

  /**
   * The bots of a workspace, by its id or name. Defaults to the bots of all workspaces. A non-empty `bots`, such as
   * that of a token, limits them to bots with those ids. Throws `WORKSPACE_MISSING`.
   */
  async workspace(id?: string, { bots = [] }: { readonly bots?: readonly string[] } = {}): Promise<BotAdministration> {
    const workspace = id === undefined ? undefined : (await this.#workspace(id)).id;
    return new BotAdministration(this.#storage.accounts.bots, workspace, bots);
  }

  /** The id of a bot's workspace; undefined if there is no such bot. */
  async workspaceOf(bot: string): Promise<string | undefined> {
    return (await this.#storage.accounts.bots.find(validateId(bot)))?.workspace;
  }

  /** The files of a bot, by its id or name. Throws `BOT_MISSING`. */
  async bot(id: string): Promise<BotFiles> {
    return this.#open(await this.#bot(id));
  }

  /** Deletes a bot with its files. Throws `BOT_MISSING`. */
  async deleteBot(id: string): Promise<void> {
    const bot = await this.#bot(id);
    await this.#use(bot, (engine) => engine.removeAll());
    // Before the engine is closed: otherwise another call could open a new one.
    await this.#storage.accounts.bots.remove(bot.id);
    this.#files.delete(bot.id);
    await this.#engines.end(bot.id);
    await this.#storage.sync();
  }

  /** The bot that an upload is for, before its bytes are read. Throws `UPLOAD_MISSING`. */
  async uploadBot(secret: string): Promise<string> {
    this.#check();
    return this.#uploads.botOf(secret);
  }

  /**
   * Accepts the content of a file for a secret that `upsertFile` returned. Throws `UPLOAD_MISSING`, and `RATE_LIMITED`
   * while too many uploads of the bot wait to be indexed; the secret stays valid then.
   */
  async receive(secret: string, bytes: Uint8Array): Promise<File> {
    this.#check();
    const botId = await this.#uploads.botOf(secret);
    // Before the address is used up.
    await this.#queue.admit(botId);
    const files = await this.bot(botId);
    return files.receive(await this.#uploads.redeem(secret), bytes);
  }

  /**
   * The number of uploaded files that wait to be indexed, and for how many milliseconds none of them has made progress.
   * Throws `ENGINE_CLOSED`, `DATABASE_MOVED`.
   */
  status(): { pending: number; stalled: number } {
    this.#check();
    return { pending: this.#queue.waiting, stalled: this.#queue.stalled };
  }

  /** Stops all work; files that wait to be indexed are indexed after the next start. May be called twice. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#engines.close(this.#queue.close());
      await this.#storage.sync();
    } finally {
      this.#storage.close();
    }
  }

  /** Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database. */
  #check(): void {
    if (this.#closing) throw new WaymarkError('ENGINE_CLOSED', 'The host is closed: open it again with openHost.');
    this.#storage.check();
  }

  /** The files of a bot, once its engine runs. */
  async #open(bot: BotRecord): Promise<BotFiles> {
    await this.#engines.open(bot);
    const known = this.#files.get(bot.id);
    if (known) return known;
    const opening = BotFiles.open({
      bot,
      storage: this.#storage,
      uploads: this.#uploads,
      queue: this.#queue,
      engine: (work) => this.#use(bot, work),
    });
    this.#files.set(bot.id, opening);
    opening.catch(() => this.#files.delete(bot.id));
    return opening;
  }

  async #use<T>(bot: BotRecord, work: (engine: SearchEngine) => Promise<T>): Promise<T> {
    this.#check();
    return this.#engines.use(bot, work);
  }

  async #bot(id: string): Promise<BotRecord> {
    this.#check();
    return new BotAdministration(this.#storage.accounts.bots).find(id);
  }

  async #workspace(id: string): Promise<Workspace> {
    const found = await this.#storage.accounts.workspaces.find(id);
    if (found) return found;
    const message = `There is no workspace ${shown(id)}: list the workspaces with: waymark workspace list`;
    throw new WaymarkError('WORKSPACE_MISSING', message);
  }
}
