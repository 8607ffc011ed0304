import { COUNTED_TABLES, checkChanges } from '../checks/changes.js';
import { aheadOfLog } from '../checks/snapshot.js';
import type { BotContext, DoctorContext } from '../context.js';

/**
 * Resets the change log if it is damaged, and makes vector indexes in other processes reload the `rebuilt` bots.
 * Deletes the snapshots of these bots, of those with a damaged one, and those that are ahead of the log. Returns a
 * sentence for each step.
 */
export function resetChanges(
  context: DoctorContext,
  {
    bots,
    rebuilt,
    damagedSnapshots,
  }: Record<'rebuilt' | 'damagedSnapshots', ReadonlySet<BotContext>> & { readonly bots: readonly BotContext[] },
): string[] {
  const { connection } = context;
  const done: string[] = [];
  const isLogDamaged = checkChanges(context).state === 'damaged';
  if (isLogDamaged) {
    restoreCounters(context);
    connection.exec(`DELETE FROM changes`);
    done.push('Reset the change log and the row counters.');
  }
  for (const bot of bots) {
    const { number, name } = bot.bot;
    if (rebuilt.has(bot) || isLogDamaged) {
      // An index in memory no longer finds its place in the log, and reloads all embeddings.
      connection.prepare(`DELETE FROM changes WHERE bot = ?`).run(number);
      connection.prepare(`INSERT INTO changes (bot, passage, embedded) VALUES (?, 0, 0)`).run(number);
    }
    if (rebuilt.has(bot) || damagedSnapshots.has(bot) || aheadOfLog(bot) !== undefined) {
      const { changes } = connection.prepare(`DELETE FROM snapshots WHERE bot = ?`).run(number);
      connection.prepare(`DELETE FROM snapshot_parts WHERE bot = ?`).run(number);
      if (changes > 0) done.push(`Deleted the HNSW snapshot of bot "${name}"; it is rebuilt when needed.`);
    }
  }
  return done;
}

/**
 * Raises each counter of row numbers to those in use. One that is higher stays if it is possible: other processes know
 * rows by lower numbers, which must not be used again.
 */
function restoreCounters({ connection }: DoctorContext): void {
  for (const [table, column, greatest] of COUNTED_TABLES) {
    const used = connection.prepare<[], number>(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck().get();
    const counter = connection
      .prepare<[string, number], number>(`SELECT max(seq) FROM sqlite_sequence WHERE name = ? AND seq <= ?`)
      .pluck()
      .get(table, greatest);
    connection.prepare(`DELETE FROM sqlite_sequence WHERE name = ?`).run(table);
    connection
      .prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, CAST(? AS INTEGER))`)
      .run(table, Math.max(used ?? 0, counter ?? 0));
  }
}
