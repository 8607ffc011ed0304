import { openSqlite } from '../connection/sqlite.js';
import { createPostings, isPostingTable } from '../postings/posting-table.js';
import { MIGRATIONS } from './migrations.js';

/**
 * Names of the tables and indexes that a database lacks, or has with other SQL than a schema version. `objects` is the
 * SQL of those that it has, by name.
 */
export function differencesFrom(version: number, objects: ReadonlyMap<string, unknown>): string[] {
  const expected = schemaOf(version, [...objects.keys()].filter(isPostingTable));
  return [...expected].filter(([name, sql]) => objects.get(name) !== sql).map(([name]) => name);
}

/** The SQL of each table and index, by name, in a database of this schema version with these posting tables. */
function schemaOf(version: number, postingTables: readonly string[]): Map<string, string | null> {
  const database = openSqlite(':memory:');
  try {
    for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
    for (const name of postingTables) database.exec(createPostings(name));
    const objects = database.prepare<[], { name: string; sql: string | null }>(`SELECT name, sql FROM sqlite_schema`);
    return new Map(objects.all().map(({ name, sql }) => [name, sql]));
  } finally {
    database.close();
  }
}
