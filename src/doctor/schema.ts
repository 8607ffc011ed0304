import type { Connection } from '../sqlite/connection/connection.js';
import { MIGRATIONS } from '../sqlite/connection/migrations.js';
import { tooNew } from '../sqlite/connection/open-connection.js';
import { schemaOf } from '../sqlite/connection/schema.js';
import { type Finding, named, REPAIR } from './finding.js';

export interface Schema {
  /** Version that the database says it has. */
  readonly version: number;
  /** Version of its tables; undefined where they are of none. */
  readonly found: number | undefined;
  /** Tables and indexes that are not as the version has them. */
  readonly wrong: readonly string[];
}

/** Throws `DATABASE_TOO_NEW`. */
export function readSchema(connection: Connection, file: string): Schema {
  const latest = MIGRATIONS.length;
  const version = Number(connection.pragma('user_version'));
  const objects = new Map(
    connection
      .prepare<[], { name: string; sql: string | null }>(`SELECT name, sql FROM sqlite_schema`)
      .all()
      .map(({ name, sql }) => [name, sql]),
  );
  const postings = [...objects.keys()].filter((name) => /^postings_\d+$/.test(name));
  const wrongAt = (step: number) =>
    [...schemaOf(step, postings)].filter(([name, sql]) => objects.get(name) !== sql).map(([name]) => name);
  const versions = [version, ...Array.from(MIGRATIONS, (_, i) => latest - i)];
  const found = versions.find((step) => step > 0 && step <= latest && wrongAt(step).length === 0);
  if (version > latest && found === undefined) {
    throw tooNew(file, version);
  }
  return { version, found, wrong: found === undefined ? wrongAt(Math.min(Math.max(version, 1), latest)) : [] };
}

export function checkSchema({ version, found, wrong }: Schema): Finding {
  const check = 'schema';
  if (found === undefined) {
    const message = `The tables are not those of version ${version}: ${named(wrong)}.`;
    return { check, state: 'damaged', message, remedy: 'index again into a new file, with --database' };
  }
  if (found === version) return { check, state: 'ok', message: `The schema is that of version ${version}.` };
  const message = `The database says that its schema is version ${version}, and it is ${found}.`;
  return { check, state: 'damaged', message, remedy: REPAIR };
}
