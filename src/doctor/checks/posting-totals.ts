import { SIZE, type Totals } from '../../sqlite/postings/posting-totals.js';
import { decodeVarints } from '../../sqlite/postings/varints.js';
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
  const sizes = connection.prepare<[], Buffer>(`SELECT ${SIZE} FROM ${table}_docsize`).pluck();
  let [passages, terms] = [0, 0];
  for (const size of sizes.iterate()) {
    passages++;
    for (const count of decodeVarints(size)) terms += count;
  }
  if (recorded.passages === passages && recorded.terms === terms) return undefined;
  return { recorded, counted: { passages, terms } };
}
