import type { RequestOf, ResponseOf } from './operation.js';
import type { getBot, ListBotsRequest, listBots } from './operations/bots.js';

/** The operations on the bots of a workspace, in process or over HTTP. Both throw `INVALID_ARGUMENT`. */
export interface BotOperations {
  /** A page of bots. */
  listBots(request?: ListBotsRequest): Promise<ResponseOf<typeof listBots>>;
  /** By id or name. Throws `BOT_MISSING`. */
  getBot(request: RequestOf<typeof getBot>): Promise<ResponseOf<typeof getBot>>;
}
