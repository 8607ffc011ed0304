import { counted } from '../../contract/wording.js';
import type { DoctorContext } from '../context.js';
import { type Finding, REPAIR } from '../finding.js';

/** Tables whose row numbers are never reused, with the column of the number. */
export const COUNTED_TABLES = [
  ['passages', 'number'],
  ['embeddings', 'number'],
  ['changes', 'sequence'],
] as const;

/** Vector indexes have 32-bit ids. */
const MAX_PASSAGE = 0xffff_ffff;

/** Checks the change log, and SQLite's counters of row numbers. */
export function checkChanges({ connection }: DoctorContext): Finding {
  const check = 'changes';
  const faults: string[] = [];
  const counterOf = connection.prepare<[string], number>(`SELECT seq FROM sqlite_sequence WHERE name = ?`).pluck();
  for (const [table, column] of COUNTED_TABLES) {
    const used = connection.prepare<[], number>(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck().get() ?? 0;
    const counter = counterOf.get(table) ?? 0;
    if (counter < used) faults.push(`the row counter of ${table} is ${counter}, but row ${used} exists`);
    if (table === 'passages' && counter > MAX_PASSAGE) {
      faults.push(`the row counter of passages is ${counter}, more than the ${MAX_PASSAGE} of a vector index`);
    }
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
