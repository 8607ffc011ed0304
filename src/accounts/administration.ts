import { validateCall } from '../contract/abortable.js';
import type { BotOperations } from '../contract/bot-operations.js';
import { validateId } from '../contract/names.js';
import { type Bot, botDetails, botMissing, type ListBotsRequest } from '../contract/operations/bots.js';
import { OPERATIONS, type RequestFor, type ResponseFor } from '../contract/operations/index.js';
import { type WorkspaceDetails, workspaceDetails } from '../contract/operations/workspaces.js';
import { shown } from '../contract/validate.js';
import type { WorkspaceOperations } from '../contract/workspace-operations.js';
import type { Abortable } from '../domain/abortable.js';
import { hasCode, WaymarkError } from '../domain/errors.js';
import type { Accounts, BotRecord, Bots, WorkspaceRecord, Workspaces } from '../storage/accounts.js';

/** The accounts that are administered, which of them, and how a bot is deleted. */
export interface AdministrationParts {
  readonly accounts: Pick<Accounts, 'bots' | 'workspaces'>;
  /** Deletes a bot with its files. */
  readonly remove: (bot: BotRecord, options: Abortable) => Promise<void>;
  /** The id of a workspace. Defaults to all workspaces. */
  readonly workspace?: string | undefined;
  /** A non-empty list limits the bots to those with these ids. */
  readonly only?: readonly string[];
}

/** A workspace and its bots, or all workspaces and theirs. */
export class Administration implements BotOperations, WorkspaceOperations {
  readonly #bots: Bots;
  readonly #workspaces: Workspaces;
  readonly #remove: AdministrationParts['remove'];
  readonly #workspace: string | undefined;
  readonly #only: readonly string[];

  /** @internal */
  constructor({ accounts, remove, workspace, only = [] }: AdministrationParts) {
    this.#bots = accounts.bots;
    this.#workspaces = accounts.workspaces;
    this.#remove = remove;
    this.#workspace = workspace;
    this.#only = only;
  }

  /** A page of bots. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}, options: Abortable = {}): Promise<ResponseFor<'listBots'>> {
    const { nextToken, pageSize: size, sortField, ...order } = validateCall(OPERATIONS.listBots, request, options);
    const { sortDirection: direction, dev, tags = {} } = order;
    // No bot here is in development.
    if (dev === true) return { bots: [], meta: {} };
    const filter = { workspace: this.#workspace, only: this.#only, tags, sortField };
    const { items, ...meta } = await this.#bots.page(filter, { size, direction, nextToken });
    return { bots: items.map(botOf), meta };
  }

  /** By id or name. Throws `BOT_MISSING`. */
  async getBot(request: RequestFor<'getBot'>, options: Abortable = {}): Promise<ResponseFor<'getBot'>> {
    const { id } = validateCall(OPERATIONS.getBot, request, options);
    return { bot: botDetails(botOf(await this.find(id))) };
  }

  /** Throws `WORKSPACE_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT`, and `FORBIDDEN` if this is limited to some bots. */
  async createBot(request: RequestFor<'createBot'> = {}, options: Abortable = {}): Promise<ResponseFor<'createBot'>> {
    const { name, tags } = validateCall(OPERATIONS.createBot, request, options);
    this.#requireAllBots('create a bot');
    if (this.#workspace !== undefined) await findWorkspace(this.#workspaces, this.#workspace);
    const bot = await this.#bots.create({ name, tags, workspace: this.#workspace });
    return { bot: botDetails(botOf(bot)) };
  }

  /** Throws `BOT_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async updateBot(request: RequestFor<'updateBot'>, options: Abortable = {}): Promise<ResponseFor<'updateBot'>> {
    const { id, name, tags } = validateCall(OPERATIONS.updateBot, request, options);
    const bot = await this.#bots.update((await this.find(id)).id, { name, tags });
    return { bot: botDetails(botOf(bot)) };
  }

  /** Deletes a bot with its files. Throws `BOT_MISSING`, and `ABORTED` while it still has files. */
  async deleteBot(request: RequestFor<'deleteBot'>, options: Abortable = {}): Promise<ResponseFor<'deleteBot'>> {
    const { id } = validateCall(OPERATIONS.deleteBot, request, options);
    await this.#remove(await this.find(id), options);
    return {};
  }

  /**
   * Deletes the first page of bots, with their files: call it again until there are none.
   * @internal
   */
  async deleteBots(options: Abortable): Promise<void> {
    for (const { id } of (await this.listBots({ pageSize: 100 })).bots) {
      await this.deleteBot({ id }, options).catch((error: unknown) => {
        // Another call has deleted it meanwhile.
        if (!hasCode(error, 'BOT_MISSING')) throw error;
      });
    }
  }

  /** A page of workspaces, newest first. Throws `INVALID_ARGUMENT`. */
  async listWorkspaces(
    request: RequestFor<'listWorkspaces'> = {},
    options: Abortable = {},
  ): Promise<ResponseFor<'listWorkspaces'>> {
    const { nextToken, pageSize: size, handle } = validateCall(OPERATIONS.listWorkspaces, request, options);
    // No workspace here has a handle.
    if (handle !== undefined) return { workspaces: [], meta: {} };
    const page = { id: this.#workspace, size, direction: 'desc', nextToken } as const;
    const { items, ...meta } = await this.#workspaces.page(page);
    return { workspaces: await Promise.all(items.map((workspace) => this.#detailsOf(workspace))), meta };
  }

  /** By id or name. Throws `WORKSPACE_MISSING`. */
  async getWorkspace(
    request: RequestFor<'getWorkspace'>,
    options: Abortable = {},
  ): Promise<ResponseFor<'getWorkspace'>> {
    const { id } = validateCall(OPERATIONS.getWorkspace, request, options);
    return this.#detailsOf(await this.#findWorkspace(id));
  }

  /** Throws `WORKSPACE_MISSING`, `WORKSPACE_EXISTS`, and `FORBIDDEN` if this is limited to some bots. */
  async updateWorkspace(
    request: RequestFor<'updateWorkspace'>,
    options: Abortable = {},
  ): Promise<ResponseFor<'updateWorkspace'>> {
    const { id, name } = validateCall(OPERATIONS.updateWorkspace, request, options);
    this.#requireAllBots('rename the workspace');
    const workspace = await this.#findWorkspace(id);
    const renamed = await this.#workspaces.rename(workspace.id, name ?? workspace.name);
    if (!renamed) throw workspaceMissing(id);
    return this.#detailsOf(renamed);
  }

  /**
   * By id or name. Throws `BOT_MISSING`.
   * @internal
   */
  async find(id: string): Promise<BotRecord> {
    return findBot(this.#bots, id, { workspace: this.#workspace, only: this.#only });
  }

  async #findWorkspace(id: string): Promise<WorkspaceRecord> {
    const found = await findWorkspace(this.#workspaces, id);
    if (this.#workspace === undefined || found.id === this.#workspace) return found;
    throw workspaceMissing(id);
  }

  async #detailsOf(workspace: WorkspaceRecord): Promise<WorkspaceDetails> {
    return workspaceDetails(workspace, { botCount: await this.#bots.count(workspace.id, this.#only) });
  }

  #requireAllBots(what: string): void {
    if (this.#only.length === 0) return;
    const message = `The token is for certain bots: ${what} with a token for all bots of the workspace.`;
    throw new WaymarkError('FORBIDDEN', message);
  }
}

/** A bot by id or name; the options are those of an `Administration`. Throws `BOT_MISSING`. */
export async function findBot(
  bots: Bots,
  id: string,
  { workspace, only = [] }: Pick<AdministrationParts, 'workspace' | 'only'> = {},
): Promise<BotRecord> {
  const found = await bots.find(validateId(id), workspace);
  if (found && (only.length === 0 || only.includes(found.id))) return found;
  throw botMissing(id);
}

/** A workspace by id or name. Throws `WORKSPACE_MISSING`. */
export async function findWorkspace(workspaces: Workspaces, id: string): Promise<WorkspaceRecord> {
  const found = await workspaces.find(validateId(id));
  if (found) return found;
  throw workspaceMissing(id);
}

function workspaceMissing(id: string): WaymarkError {
  const next = 'listWorkspaces, or "waymark workspace list", lists them';
  return new WaymarkError('WORKSPACE_MISSING', `There is no workspace ${shown(id)}: ${next}.`);
}

/** A bot as listBots returns it. All bots are of one type. */
export function botOf({ id, name, createdAt, updatedAt, deployedAt, tags }: BotRecord): Bot {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }), tags, type: 'studio' };
}
