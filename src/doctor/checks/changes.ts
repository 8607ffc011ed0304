import { counted } from '../../contract/wording.js';
import type { DoctorContext } from '../context.js';
import { type Finding, REPAIR } from '../finding.js';

/** Tables whose row numbers are never reused, with the column of the number, and the greatest that it may be. */
export const COUNTED_TABLES = [
  // Vector indexes have 32-bit ids.
  ['passages', 'number', 0xffff_ffff],
  ['embeddings', 'number', Number.MAX_SAFE_INTEGER],
  ['changes', 'sequence', Number.MAX_SAFE_INTEGER],
] as const;

/** Checks the change log, and SQLite's counters of row numbers. */
export function checkChanges({ connection }: DoctorContext): Finding {
  const check = 'changes';
  const faults: string[] = [];
  const counterOf = connection.prepare<[string], number>(`SELECT seq FROM sqlite_sequence WHERE name = ?`).pluck();
  for (const [table, column, greatest] of COUNTED_TABLES) {
    const used = connection.prepare<[], number>(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck().get() ?? 0;
    const counter = counterOf.get(table) ?? 0;
    if (counter < used) faults.push(`the row counter of ${table} is ${counter}, but row ${used} exists`);
    if (counter > greatest)
      faults.push(`the row counter of ${table} is ${counter}, and at most ${greatest} is possible`);
  }
  const invalid = connection
    .prepare<[], number>(
      `SELECT count(*) FROM changes WHERE embedded NOT IN (0, 1) OR +bot NOT IN (SELECT number FROM bots)
         OR passage > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passages'), 0)`,
    )
    .pluck()
    .get();
  if (invalid) faults.push(counted(invalid, 'invalid change'));
  if (faults.length === 0) return { check, state: 'ok', message: 'The change log and row counters are consistent.' };
  return { check, state: 'damaged', message: `The change log is damaged: ${faults.join('; ')}.`, remedy: REPAIR };
}
