import type { ListBotsRequest } from './operations/bots.js';
import type { RequestFor, ResponseFor } from './operations/index.js';

/**
 * The operations on the bots of a workspace, in process or over HTTP. `id` is a bot's id or name. All throw
 * `INVALID_ARGUMENT`, and those on one bot `BOT_MISSING`.
 */
export interface BotOperations {
  /** A page of bots. */
  listBots(request?: ListBotsRequest): Promise<ResponseFor<'listBots'>>;
  /** Throws `BOT_EXISTS`. */
  createBot(request?: RequestFor<'createBot'>): Promise<ResponseFor<'createBot'>>;
  /** By id or name. Throws `BOT_MISSING`. */
  getBot(request: RequestFor<'getBot'>): Promise<ResponseFor<'getBot'>>;
  /** Changes name and tags: null deletes a tag, and fields not named stay. Throws `BOT_MISSING`, `BOT_EXISTS`. */
  updateBot(request: RequestFor<'updateBot'>): Promise<ResponseFor<'updateBot'>>;
  /** Deletes a bot and its files. Throws `BOT_MISSING`. */
  deleteBot(request: RequestFor<'deleteBot'>): Promise<ResponseFor<'deleteBot'>>;
}
