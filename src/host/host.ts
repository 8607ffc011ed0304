/// <reference lib="esnext.disposable" preserve="true" />
import { AccessTokens } from '../accounts/access-tokens.js';
import { Administration, findBot, findWorkspace } from '../accounts/administration.js';
import { validateBots, validateId, validateName, validateWorkspace } from '../contract/names.js';
import type { File } from '../contract/operations/files.js';
import { type ListTokensOptions, type Token, validateGrant, validateListTokens } from '../contract/tokens.js';
import type { Workspace } from '../contract/workspaces.js';
import { type Abortable, assertNotAborted } from '../domain/abortable.js';
import type { OpenedEmbedder } from '../embed/open-embedder.js';
import { closeAll } from '../engine/close-all.js';
import type { SearchEngine } from '../engine/engine.js';
import { warnerOf } from '../engine/engine-options.js';
import { observer } from '../indexing/observer.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { BotEngines, type HostOptions } from './bot-engines.js';
import { BotFiles } from './bot-files.js';
import type { ContentAddresses, Signature } from './content-addresses.js';
import { closedHost } from './shared-models.js';
import type { StoredContent } from './stored-content.js';
import { BotsFailed, forBotsWithPendingFiles, HostTasks } from './tasks/host-tasks.js';
import { byteSource } from './uploads/arriving-bytes.js';
import { UploadQueue } from './uploads/upload-queue.js';
import { announcedAt } from './uploads/upload-secrets.js';

/** What a host is made of. */
interface HostParts {
  readonly storage: Storage;
  readonly options: HostOptions;
  readonly addresses: ContentAddresses;
  readonly opened: OpenedEmbedder;
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
  readonly #addresses: ContentAddresses;
  readonly #engines: BotEngines;
  readonly #queue = new UploadQueue();
  readonly #files = new Map<string, Promise<BotFiles>>();
  readonly #warn: (message: string) => void;
  #tasks: HostTasks | undefined;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor({ storage, options, addresses, opened }: HostParts) {
    this.#storage = storage;
    this.#addresses = addresses;
    this.#warn = warnerOf(options);
    this.#tokens = new AccessTokens(storage.accounts.tokens);
    this.#engines = new BotEngines({ storage, options, opened, advance: () => this.#queue.advance() });
  }

  /**
   * Queues the files that were uploaded but not indexed before the last process ended, and begins to remove what has
   * expired, and to take over what other processes leave.
   * @internal
   */
  async resume(): Promise<void> {
    const parts = {
      storage: this.#storage,
      uploadsOf: async (bot: BotRecord) => (await this.#open(bot, {})).uploads,
      warn: (message: string) => this.#closing ?? this.#warn(message),
    };
    await forBotsWithPendingFiles(parts, (uploads) => uploads.resume()).catch((error) => {
      // The tasks try again, and report it: the other bots are served meanwhile.
      if (!(error instanceof BotsFailed)) throw error;
    });
    this.#tasks = new HostTasks(parts);
  }

  /**
   * Loads the models of all bots: the first search need not wait for its model. Warns of a bot whose model cannot be
   * loaded. Throws `EMBEDDER_FAILED` for that of bots without files.
   */
  async warmUp(): Promise<void> {
    this.#check();
    await this.#engines.warmUp();
  }

  /** Throws `WORKSPACE_EXISTS`, `INVALID_ARGUMENT`. */
  async createWorkspace(name: string): Promise<Workspace> {
    return this.#storage.accounts.workspaces.create(validateName(name));
  }

  /**
   * Deletes a workspace, by its id or name, with its bots, their files and its tokens. Throws `WORKSPACE_MISSING`, and
   * `ABORTED` while it still has bots.
   */
  async deleteWorkspace(id: string, options: Abortable = {}): Promise<void> {
    const workspace = await this.getWorkspace(id);
    const administration = this.#administration(workspace.id);
    // Bots may be created meanwhile.
    do await administration.deleteBots(options);
    while (!(await this.#storage.accounts.workspaces.remove(workspace.id)));
    await this.#storage.sync();
  }

  /** A workspace by its id or name. Throws `WORKSPACE_MISSING`. */
  async getWorkspace(id: string): Promise<Workspace> {
    this.#check();
    return findWorkspace(this.#storage.accounts.workspaces, id);
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
    const { role, bots, expiresAt } = validateGrant(options);
    const workspace = await this.getWorkspace(options.workspaceId);
    const name = validateName(options.name);
    const administration = this.#administration(workspace.id);
    const found = await Promise.all(bots.map((bot) => administration.find(bot)));
    return this.#tokens.create({
      ...{ workspaceId: workspace.id, name, role, bots: [...new Set(found.map(({ id }) => id))] },
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    });
  }

  /**
   * Oldest first; of a workspace by its id or name. Defaults to all workspaces. Throws `WORKSPACE_MISSING`, and
   * `DATABASE_DAMAGED` without `onDamaged`.
   */
  async listTokens(workspace?: string, options: ListTokensOptions = {}): Promise<Token[]> {
    const { onDamaged } = validateListTokens(options);
    const id = workspace === undefined ? undefined : (await this.getWorkspace(workspace)).id;
    return this.#tokens.list(id, { onDamaged: onDamaged && observer('onDamaged', onDamaged) });
  }

  /** Throws `TOKEN_MISSING`, `DATABASE_DAMAGED`. */
  async revokeToken(id: string): Promise<Token> {
    return this.#tokens.revoke(validateId(id));
  }

  /** The token with this text; undefined if it is unknown, revoked or expired. Takes the same time in each case. */
  async authenticate(token: string | undefined): Promise<Token | undefined> {
    this.#check();
    return this.#tokens.authenticate(token);
  }

  /**
   * A workspace and its bots, by its id or name. Defaults to all workspaces and theirs. A non-empty `bots`, such as
   * that of a token, limits the bots to those with these ids. Throws `WORKSPACE_MISSING`.
   */
  async workspace(id?: string, options: { readonly bots?: readonly string[] } = {}): Promise<Administration> {
    const bots = validateBots(options);
    const workspace = id === undefined ? undefined : (await this.getWorkspace(id)).id;
    return this.#administration(workspace, bots);
  }

  /** The id of a bot's workspace, by the id of the bot; undefined if there is no such bot. */
  async workspaceOf(bot: string): Promise<string | undefined> {
    return (await this.#storage.accounts.bots.withId(validateId(bot)))?.workspace;
  }

  /** The files of a bot, by its id or name; of any workspace, or of one by its id. Throws `BOT_MISSING`, `ABORTED`. */
  async bot(id: string, options: Abortable & { readonly workspace?: string } = {}): Promise<BotFiles> {
    this.#check();
    const workspace = validateWorkspace(options);
    return this.#open(await findBot(this.#storage.accounts.bots, id, { workspace }), options);
  }

  /**
   * The content of a file of any bot, for a caller without a token. Undefined unless it is public or the address is
   * signed. Throws `FILE_MISSING` if it is not uploaded yet.
   * @internal
   */
  async contentAt(id: string, signed: Signature | undefined): Promise<StoredContent | undefined> {
    this.#check();
    const bot = await this.#storage.accounts.bots.ofFile(id);
    return bot && (await this.#filesOf(bot)).contentAt(id, signed);
  }

  /** The bot that an upload is for, before its bytes are read. Throws `UPLOAD_MISSING`. */
  async uploadBot(secret: string): Promise<string> {
    this.#check();
    return (await announcedAt(secret, this.#storage.uploads)).announced.botId;
  }

  /**
   * Accepts the content of a file for a secret that `upsertFile` returned: at once, or as it arrives. `signal` stops
   * the upload; nothing is stored then. Throws `UPLOAD_MISSING`, `INVALID_ARGUMENT`, `ABORTED`, what `content` throws,
   * and `RATE_LIMITED` while too many uploads of the bot wait to be indexed; the secret stays valid then, unless it is
   * missing. The bytes are not copied: leave them as they are until this settles.
   */
  async receive(
    secret: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    { signal }: Abortable = {},
  ): Promise<File> {
    this.#check();
    const source = byteSource(content);
    const { announced, address } = await announcedAt(secret, this.#storage.uploads);
    await this.#queue.admit(announced.botId, signal);
    return (await this.bot(announced.botId, { signal })).receive(announced, { source, signal, address });
  }

  /** Records why the content of a file did not arrive; its secret stays valid. Throws `UPLOAD_MISSING`. */
  async failUpload(secret: string, reason: string): Promise<void> {
    this.#check();
    const { announced } = await announcedAt(secret, this.#storage.uploads);
    const bot = await findBot(this.#storage.accounts.bots, announced.botId);
    await (await this.#filesOf(bot)).failUpload(announced, reason);
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
    this.#closing ??= closeAll([() => this.#engines.closeModels(), () => this.#closeStorage()]);
    return this.#closing;
  }

  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #deleteBot(bot: BotRecord, options: Abortable): Promise<void> {
    this.#check();
    // Removes its files a few at a time. A bot that cannot be opened, as without its model, is removed all at once.
    const canBeOpened = await this.#engines.open(bot, options).then(Boolean, () => false);
    assertNotAborted(options.signal);
    this.#check();
    if (canBeOpened) await this.#use(bot, (engine) => engine.removeAll(options), options);
    // Before the engine is closed: otherwise another call could open a new one.
    await this.#storage.accounts.bots.remove(bot.id);
    this.#files.delete(bot.id);
    await this.#engines.end(bot.id);
    await this.#storage.sync();
  }

  /** The engines end the jobs in progress, which an embedder may hold up for ever. */
  async #closeStorage(): Promise<void> {
    try {
      await closeAll([() => this.#queue.close(), () => this.#engines.close(), () => this.#tasks?.stop()]);
      await this.#storage.sync();
    } finally {
      this.#storage.close();
    }
  }

  /** Throws `ENGINE_CLOSED`, and `DATABASE_MOVED` if another file has replaced the database. */
  #check(): void {
    if (this.#closing) throw closedHost();
    this.#storage.assertNotReplaced();
  }

  /** The files of a bot, once its engine runs. */
  async #open(bot: BotRecord, options: Abortable): Promise<BotFiles> {
    await this.#engines.open(bot, options);
    return this.#filesOf(bot);
  }

  /** The files of a bot. Only what needs its engine waits for that. */
  async #filesOf(bot: BotRecord): Promise<BotFiles> {
    const known = this.#files.get(bot.id);
    if (known) return known;
    const opening = BotFiles.open({
      ...{ bot, storage: this.#storage, addresses: this.#addresses, queue: this.#queue, engines: this.#engines },
      engine: (work, options) => this.#use(bot, work, options),
      botFiles: (id, options) => this.bot(id, options),
    });
    this.#files.set(bot.id, opening);
    opening.catch(() => this.#files.delete(bot.id));
    return opening;
  }

  async #use<T>(bot: BotRecord, work: (engine: SearchEngine) => Promise<T>, options: Abortable): Promise<T> {
    this.#check();
    return this.#engines.use(bot, work, options);
  }

  #administration(workspace?: string, only: readonly string[] = []): Administration {
    const { accounts } = this.#storage;
    return new Administration({ accounts, workspace, only, remove: (bot, options) => this.#deleteBot(bot, options) });
  }
}
