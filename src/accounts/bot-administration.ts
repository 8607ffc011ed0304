import type { BotOperations } from '../contract/bot-operations.js';
import { validateId } from '../contract/names.js';
import { type Bot, botDetails, type ListBotsRequest } from '../contract/operations/bots.js';
import { OPERATIONS, type RequestFor, type ResponseFor } from '../contract/operations/index.js';
import { shown, validateRequest } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import type { BotRecord, Bots } from '../storage/accounts.js';

/** Which bots are administered, and with what. */
export interface BotAdministrationParts {
  readonly bots: Bots;
  /** Deletes a bot with its files. */
  readonly remove: (bot: BotRecord) => Promise<void>;
  /** The id of a workspace. Defaults to all workspaces. */
  readonly workspace?: string | undefined;
  /** A non-empty list limits the bots to those with these ids. */
  readonly only?: readonly string[];
}

/** The bots of a workspace, or of all workspaces. */
export class BotAdministration implements BotOperations {
  readonly #bots: Bots;
  readonly #remove: BotAdministrationParts['remove'];
  readonly #workspace: string | undefined;
  readonly #only: readonly string[];

  /** @internal */
  constructor({ bots, remove, workspace, only = [] }: BotAdministrationParts) {
    this.#bots = bots;
    this.#remove = remove;
    this.#workspace = workspace;
    this.#only = only;
  }

  /** A page of bots. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}): Promise<ResponseFor<'listBots'>> {
    const { nextToken, pageSize: size, sortField, ...order } = validateRequest(OPERATIONS.listBots, request);
    const { sortDirection: direction, dev, tags = {} } = order;
    // No bot here is in development.
    if (dev === true) return { bots: [], meta: {} };
    const filter = { workspace: this.#workspace, only: this.#only, tags, sortField };
    const { items, ...meta } = await this.#bots.page(filter, { size, direction, nextToken });
    return { bots: items.map(botOf), meta };
  }

  /** By id or name. Throws `BOT_MISSING`. */
  async getBot(request: RequestFor<'getBot'>): Promise<ResponseFor<'getBot'>> {
    const { id } = validateRequest(OPERATIONS.getBot, request);
    return { bot: botDetails(botOf(await this.find(id))) };
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`, and `FORBIDDEN` if this is limited to some bots. */
  async createBot(request: RequestFor<'createBot'> = {}): Promise<ResponseFor<'createBot'>> {
    const { name, tags } = validateRequest(OPERATIONS.createBot, request);
    if (this.#only.length > 0) {
      const message = 'The token is for certain bots: create a bot with a token for all bots of the workspace.';
      throw new WaymarkError('FORBIDDEN', message);
    }
    const bot = await this.#bots.create({ name, tags, workspace: this.#workspace });
    return { bot: botDetails(botOf(bot)) };
  }

  /** Throws `BOT_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async updateBot(request: RequestFor<'updateBot'>): Promise<ResponseFor<'updateBot'>> {
    const { id, name, tags } = validateRequest(OPERATIONS.updateBot, request);
    const bot = await this.#bots.update((await this.find(id)).id, { name, tags });
    return { bot: botDetails(botOf(bot)) };
  }

  /** Deletes a bot with its files. Throws `BOT_MISSING`. */
  async deleteBot(request: RequestFor<'deleteBot'>): Promise<ResponseFor<'deleteBot'>> {
    const { id } = validateRequest(OPERATIONS.deleteBot, request);
    await this.#remove(await this.find(id));
    return {};
  }

  /**
   * By id or name. Throws `BOT_MISSING`.
   * @internal
   */
  async find(id: string): Promise<BotRecord> {
    return findBot(this.#bots, id, { workspace: this.#workspace, only: this.#only });
  }
}

/** A bot by id or name; the options are those of a `BotAdministration`. Throws `BOT_MISSING`. */
export async function findBot(
  bots: Bots,
  id: string,
  { workspace, only = [] }: Pick<BotAdministrationParts, 'workspace' | 'only'> = {},
): Promise<BotRecord> {
  const found = await bots.find(validateId(id), workspace);
  if (found && (only.length === 0 || only.includes(found.id))) return found;
  throw new WaymarkError('BOT_MISSING', `There is no bot ${shown(id)}: listBots lists the bots of the workspace.`);
}

/** A bot as listBots returns it. All bots are of one type. */
export function botOf({ id, name, createdAt, updatedAt, deployedAt, tags }: BotRecord): Bot {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }), tags, type: 'studio' };
}
