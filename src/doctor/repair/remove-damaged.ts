import { counted } from '../../contract/wording.js';
import { inspectEmbeddings } from '../checks/embeddings.js';
import { REPAIRABLE_TABLES } from '../checks/structure.js';
import type { DoctorContext } from '../context.js';
import type { Plan } from './plan.js';

/** Tables whose rows belong to a file. */
const FILE_TABLES = ['texts', 'text_parts', 'file_tags', 'file_terms', 'contents', 'uploads'];

/**
 * Removes damaged rows and rows that refer to missing ones, then rebuilds the indexes. The indexes may be damaged, so
 * no condition uses one: a `+` before a column rules them out. Returns a sentence for each kind of removed row.
 */
export function removeDamaged(context: DoctorContext, plans: readonly Plan[]): string[] {
  const { connection } = context;
  const filesToReplace = plans.flatMap(({ recut, reread, lost }) => [
    ...recut.keys(),
    ...reread.keys(),
    ...lost.map(({ number }) => number),
  ]);
  const damaged = inspectEmbeddings(context).damaged;
  connection.pragma('defer_foreign_keys = ON');
  // With it SQLite deletes a row that its index lacks; otherwise it would report the index as corrupt.
  connection.pragma('writable_schema = ON');
  const withoutFile = connection.prepare(`DELETE FROM passages WHERE +file NOT IN (SELECT number FROM files)`).run();
  connection
    .prepare(`DELETE FROM passages WHERE +file IN (SELECT value FROM json_each(?))`)
    .run(JSON.stringify(filesToReplace));
  // Files that are staged for another model are staged again.
  connection
    .prepare(
      `DELETE FROM staged_files WHERE file IN (
         SELECT +file FROM staged_passages WHERE +embedding IN (SELECT value FROM json_each(?)))`,
    )
    .run(JSON.stringify(damaged));
  const embeddings = connection
    .prepare(
      `DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))
         AND number NOT IN (SELECT +embedding FROM passages)
         AND number NOT IN (SELECT +embedding FROM staged_passages)`,
    )
    .run(JSON.stringify(damaged));
  for (const table of FILE_TABLES)
    connection.exec(`DELETE FROM ${table} WHERE +file NOT IN (SELECT number FROM files)`);
  connection.exec(`DELETE FROM content_parts WHERE +content NOT IN (SELECT number FROM contents)`);
  connection.exec(`DELETE FROM unused WHERE +embedding NOT IN (SELECT number FROM embeddings)`);
  // SQLite's checks reject a value of another type, even if its file is excluded from search.
  for (const table of ['texts', 'text_parts'])
    connection.exec(`UPDATE ${table} SET text = coalesce(CAST(text AS TEXT), '') WHERE typeof(text) <> 'text'`);
  connection.exec(`UPDATE content_parts SET bytes = coalesce(CAST(bytes AS BLOB), x'') WHERE typeof(bytes) <> 'blob'`);
  const totals = connection.prepare(`DELETE FROM posting_totals WHERE bot NOT IN (SELECT number FROM bots)`).run();
  connection.pragma('writable_schema = OFF');
  for (const table of REPAIRABLE_TABLES) connection.exec(`REINDEX ${table}`);
  return [
    ...(embeddings.changes > 0 ? [`Removed ${counted(embeddings.changes, 'damaged embedding')}.`] : []),
    ...(withoutFile.changes > 0 ? [`Removed ${counted(withoutFile.changes, 'passage')} without a file.`] : []),
    ...(totals.changes > 0 ? ['Removed posting totals without a bot.'] : []),
  ];
}
