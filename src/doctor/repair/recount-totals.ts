import { postingTable } from '../../sqlite/postings/posting-table.js';
import { PostingTotals } from '../../sqlite/postings/posting-totals.js';
import { totalsMismatch } from '../checks/posting-totals.js';
import type { DoctorContext } from '../context.js';

/** Corrects the posting totals of all bots. Returns a sentence for each bot whose totals were wrong. */
export function recountTotals({ connection, bots }: DoctorContext): string[] {
  const done: string[] = [];
  for (const bot of bots.rows()) {
    const table = postingTable(bot.number);
    if (!connection.hasTable(table)) continue;
    if (!totalsMismatch({ connection, bot }, table)) continue;
    new PostingTotals(connection, { bot: bot.number, table }).recount();
    done.push(`Recounted the posting totals of bot "${bot.name}".`);
  }
  return done;
}
