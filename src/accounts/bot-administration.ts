import type { BotOperations } from '../contract/bot-operations.js';
import { validateId, validateName } from '../contract/names.js';
import type { RequestOf, ResponseOf } from '../contract/operation.js';
import { type Bot, botDetails, getBot, type ListBotsRequest, listBots } from '../contract/operations/bots.js';
import { shown, validateRequest } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import type { BotRecord, Bots } from '../storage/accounts.js';

/** The bots of a workspace, or of all workspaces. */
export class BotAdministration implements BotOperations {
  readonly #bots: Bots;
  readonly #workspace: string | undefined;
  readonly #only: readonly string[];

  /** @internal */
  constructor(bots: Bots, workspace?: string, only: readonly string[] = []) {
    this.#bots = bots;
    this.#workspace = workspace;
    this.#only = only;
  }

  /** A page of bots. Throws `INVALID_ARGUMENT`. */
  async listBots(request: ListBotsRequest = {}): Promise<ResponseOf<typeof listBots>> {
    const { nextToken, pageSize: size, sortField, ...order } = validateRequest(listBots, request);
    const { sortDirection: direction, dev, tags } = order;
    // No bot here is in development, and none has tags.
    if (dev === true || Object.keys(tags).length > 0) return { bots: [], meta: {} };
    const filter = { workspace: this.#workspace, only: this.#only, sortField };
    const { items, ...meta } = await this.#bots.page(filter, { size, direction, nextToken });
    return { bots: items.map(botOf), meta };
  }

  /** By id or name. Throws `BOT_MISSING`. */
  async getBot(request: RequestOf<typeof getBot>): Promise<ResponseOf<typeof getBot>> {
    const { id } = validateRequest(getBot, request);
    return { bot: botDetails(botOf(await this.find(id))) };
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async createBot(name: string): Promise<Bot> {
    return botOf(await this.#bots.create(validateName(name), this.#workspace));
  }

  /** Throws `BOT_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  async renameBot(id: string, name: string): Promise<Bot> {
    return botOf(await this.#bots.rename(await this.find(id), validateName(name)));
  }

  /**
   * By id or name. Throws `BOT_MISSING`.
   * @internal
   */
  async find(id: string): Promise<BotRecord> {
    const found = await this.#bots.find(validateId(id), this.#workspace);
    if (found && (this.#only.length === 0 || this.#only.includes(found.id))) return found;
    throw new WaymarkError('BOT_MISSING', `There is no bot ${shown(id)}: listBots lists the bots of the workspace.`);
  }
}

/** A bot as listBots returns it. Bots have no tags here, and all are of one type. */
export function botOf({ id, name, createdAt, updatedAt, deployedAt }: BotRecord): Bot {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }), tags: {}, type: 'studio' };
}
