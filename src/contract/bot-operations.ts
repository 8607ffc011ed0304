import type { Abortable } from '../domain/abortable.js';
import type { ListBotsRequest } from './operations/bots.js';
import type { RequestFor, ResponseFor } from './operations/index.js';

/**
 * The operations on the bots of a workspace, in process or over HTTP. `id` is a bot's id or name. All throw
 * `INVALID_ARGUMENT`, and those on one bot `BOT_MISSING`.
 */
export interface BotOperations {
  /** A page of bots. */
  listBots(request?: ListBotsRequest, options?: Abortable): Promise<ResponseFor<'listBots'>>;
  /** Throws `BOT_EXISTS`. */
  createBot(request?: RequestFor<'createBot'>, options?: Abortable): Promise<ResponseFor<'createBot'>>;
  /** By id or name. Throws `BOT_MISSING`. */
  getBot(request: RequestFor<'getBot'>, options?: Abortable): Promise<ResponseFor<'getBot'>>;
  /** Changes name and tags: null deletes a tag, and fields not named stay. Throws `BOT_MISSING`, `BOT_EXISTS`. */
  updateBot(request: RequestFor<'updateBot'>, options?: Abortable): Promise<ResponseFor<'updateBot'>>;
  /** Deletes a bot and its files. Throws `BOT_MISSING`. */
  deleteBot(request: RequestFor<'deleteBot'>, options?: Abortable): Promise<ResponseFor<'deleteBot'>>;
}
