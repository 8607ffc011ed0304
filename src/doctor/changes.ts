import type { DoctorContext } from './context.js';
import { type Finding, REPAIR } from './finding.js';

/** Tables whose numbers are never used twice, and their columns of numbers. */
const NUMBERED = [
  ['passages', 'number'],
  ['embeddings', 'number'],
  ['changes', 'sequence'],
] as const;

/** A vector index's ids have 32 bits. */
const GREATEST = 0xffff_ffff;

/** Whether the log of changes and the counters of numbers say what can be. */
export function checkChanges({ connection }: DoctorContext): Finding {
  const check = 'changes';
  const wrong: string[] = [];
  for (const [table, column] of NUMBERED) {
    const counter = connection.prepare<[string], number>(`SELECT seq FROM sqlite_sequence WHERE name = ?`).pluck();
    const used = connection.prepare<[], number>(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck().get() ?? 0;
    const told = counter.get(table) ?? 0;
    if (told < used) wrong.push(`the counter of ${table} is behind them`);
    if (table === 'passages' && told > GREATEST) wrong.push('the counter of passages is beyond what an index takes');
  }
  const odd = connection
    .prepare<[], number>(
      `SELECT count(*) FROM changes WHERE embedded NOT IN (0, 1) OR +bot NOT IN (SELECT number FROM bots)
         OR passage > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passages'), 0)`,
    )
    .pluck()
    .get();
  if (odd !== 0) wrong.push(`${odd} changes are of what cannot be`);
  if (wrong.length === 0) return { check, state: 'ok', message: 'The log of changes and the counters are sane.' };
  return { check, state: 'damaged', message: `The log of changes is damaged: ${wrong.join('; ')}.`, remedy: REPAIR };
}
