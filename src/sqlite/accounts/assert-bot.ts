import { deletedBot } from '../../storage/failures.js';
import type { Connection } from '../connection/connection.js';

/** Throws `BOT_MISSING` if the bot of a row number was deleted. Call it in the transaction that writes for the bot. */
export function assertBot(connection: Connection, bot: number): void {
  if (!connection.cached(`SELECT 1 FROM bots WHERE number = ?`).get(bot)) throw deletedBot();
}
