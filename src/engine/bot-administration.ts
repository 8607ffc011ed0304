import { type Bot, validateId, validateListBots, validateName } from '../contract/bots.js';
import type { BotOperations, ListBotsRequest, PageMeta } from '../contract/operations.js';
import { WaymarkError } from '../domain/errors.js';
import type { BotRow, Bots } from '../sqlite/accounts/bots.js';

/** The bots of a workspace, or of all: listed, told, made, renamed. */
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

  async listBots(request: ListBotsRequest = {}): Promise<{ bots: Bot[]; meta: PageMeta }> {
    const { nextToken, pageSize: size, sortField, sortDirection: direction, dev, tags } = validateListBots(request);
    // No bot here is in development, and none has tags.
    if (dev === true || Object.keys(tags).length > 0) return { bots: [], meta: {} };
    const { rows, ...meta } = this.#bots.page(
      { workspace: this.#workspace, only: this.#only, sortField },
      { size, direction, nextToken },
    );
    return { bots: rows.map(botOf), meta };
  }

  /** By id or name. Throws `BOT_MISSING`. */
  async getBot({ id }: { readonly id: string }): Promise<{ bot: Bot }> {
    return { bot: botOf(this.find(id)) };
  }

  /** Throws `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  createBot(name: string): Bot {
    return botOf(this.#bots.create(validateName(name), this.#workspace));
  }

  /** Throws `BOT_MISSING`, `BOT_EXISTS`, `INVALID_ARGUMENT`. */
  renameBot(id: string, name: string): Bot {
    return botOf(this.#bots.rename(this.find(id), validateName(name)));
  }

  /**
   * By id or name. Throws `BOT_MISSING`.
   * @internal
   */
  find(id: string): BotRow {
    const found = this.#bots.find(validateId(id), this.#workspace);
    if (found && (this.#only.length === 0 || this.#only.includes(found.id))) return found;
    throw new WaymarkError('BOT_MISSING', `There is no bot "${id}": listBots tells those that there are.`);
  }
}

function botOf({ id, name, createdAt, updatedAt, deployedAt }: BotRow): Bot {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }) };
}
