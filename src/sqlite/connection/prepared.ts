import type { Database, Statement } from './database.js';

const statements = new WeakMap<Database, Map<string, Statement<unknown[]>>>();

/** A statement, prepared once a database: what a search asks costs as much to prepare as to answer. Give it fixed texts. */
export function prepared<Parameters extends unknown[], Row>(
  database: Database,
  sql: string,
): Statement<Parameters, Row> {
  const known = statements.get(database) ?? new Map<string, Statement<unknown[]>>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare<unknown[]>(sql);
  known.set(sql, statement);
  return statement as unknown as Statement<Parameters, Row>;
}
