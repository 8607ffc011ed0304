import { counted } from '../../contract/wording.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { inspectEmbeddings } from '../checks/embeddings.js';
import { INDEXED_TABLES, IRREPLACEABLE_TABLES } from '../checks/structure.js';
import type { DoctorContext } from '../context.js';
import type { Plan } from './plan.js';

/**
 * Removes damaged rows and rows that refer to missing ones, then rebuilds the indexes. The indexes may be damaged, so
 * no condition uses one: `NOT INDEXED`, or a `+` before a column, rules them out. Returns a sentence for each kind of
 * removed row.
 */
export function removeDamaged(context: DoctorContext, plans: readonly Plan[]): string[] {
  const { connection } = context;
  const filesToReplace = plans.flatMap(({ recut, reread, lost }) => [
    ...recut.keys(),
    ...reread.map(({ damaged }) => damaged.number),
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
         AND number NOT IN (SELECT embedding FROM passages NOT INDEXED)
         AND number NOT IN (SELECT embedding FROM staged_passages NOT INDEXED)`,
    )
    .run(JSON.stringify(damaged));
  const workspaces = restoreWorkspaces(connection);
  const orphans = removeOrphans(connection);
  // SQLite's checks reject a value of another type, even if its file is excluded from search.
  for (const table of ['texts', 'text_parts'])
    connection.exec(`UPDATE ${table} SET text = coalesce(CAST(text AS TEXT), '') WHERE typeof(text) <> 'text'`);
  connection.exec(`UPDATE content_parts SET bytes = coalesce(CAST(bytes AS BLOB), x'') WHERE typeof(bytes) <> 'blob'`);
  connection.pragma('writable_schema = OFF');
  for (const table of INDEXED_TABLES) connection.exec(`REINDEX ${table}`);
  return [
    ...(embeddings.changes > 0 ? [`Removed ${counted(embeddings.changes, 'damaged embedding')}.`] : []),
    ...(withoutFile.changes > 0 ? [`Removed ${counted(withoutFile.changes, 'passage')} without a file.`] : []),
    ...workspaces,
    ...orphans,
  ];
}

/** Makes a workspace for each that bots refer to and that is missing, named by its id. Returns a sentence for each. */
function restoreWorkspaces(connection: Connection): string[] {
  const missing = connection
    .prepare<[], string>(
      `SELECT DISTINCT workspace FROM bots WHERE +workspace NOT IN (SELECT id FROM workspaces NOT INDEXED)`,
    )
    .pluck()
    .all();
  const insert = connection.prepare(
    `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (@id, @id, @now, @now)`,
  );
  for (const id of missing) insert.run({ id, now: new Date().toISOString() });
  return missing.map((id) => `Restored the workspace ${id}, without its name.`);
}

/** A column of a table that refers to a column of another. */
interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string;
}

/** Removes rows that refer to missing ones. Returns a sentence for each table that had any. */
function removeOrphans(connection: Connection): string[] {
  const tables = connection
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES%'`)
    .pluck()
    .all()
    .filter((table) => !IRREPLACEABLE_TABLES.includes(table));
  const removed = new Map<string, number>();
  // Rows may refer to rows that are removed.
  for (let isComplete = false; !isComplete; ) {
    isComplete = true;
    for (const table of tables) {
      for (const { from, table: other, to } of connection.pragmaRows<Reference>(`foreign_key_list(${table})`)) {
        const sql = `DELETE FROM ${table} WHERE +${from} NOT IN (SELECT ${to} FROM ${other} NOT INDEXED)`;
        const { changes } = connection.prepare(sql).run();
        if (changes === 0) continue;
        removed.set(table, (removed.get(table) ?? 0) + changes);
        isComplete = false;
      }
    }
  }
  return [...removed].map(
    ([table, rows]) => `Removed ${counted(rows, 'row')} of ${table} that referred to missing rows.`,
  );
}
