import { PostingTotals, type Totals } from '../../sqlite/postings/posting-totals.js';
import type { BotContext } from '../context.js';

/** Totals that are recorded wrongly. */
export interface TotalsMismatch {
  readonly recorded: Totals;
  readonly counted: Totals;
}

/**
 * Compares the recorded totals of a posting table with its rows; undefined if they agree. FTS5's own totals are not
 * compared: nothing reads them. Throws SQLite's error for an unreadable table.
 */
export function totalsMismatch(
  { connection, bot }: Pick<BotContext, 'connection' | 'bot'>,
  table: string,
): TotalsMismatch | undefined {
  const recorded = connection
    .prepare<[number], Totals>(`SELECT passages, terms FROM posting_totals WHERE bot = ?`)
    .get(bot.number);
  // An earlier version wrote none: they are counted when an engine opens the bot.
  if (!recorded) return undefined;
  const counted = new PostingTotals(connection, { bot: bot.number, table }).count();
  if (recorded.passages === counted.passages && recorded.terms === counted.terms) return undefined;
  return { recorded, counted };
}
