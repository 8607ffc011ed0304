import type { Connection } from '../../sqlite/connection/connection.js';
import { tooNew } from '../../sqlite/connection/open-connection.js';
import { MIGRATIONS } from '../../sqlite/schema/migrations.js';
import { differencesFrom } from '../../sqlite/schema/schema.js';
import { listed } from '../describe.js';
import { type Finding, INDEX_AGAIN, REPAIR } from '../finding.js';

/** The schema version of a database, as recorded and as its tables show. */
export interface SchemaState {
  /** The recorded version. */
  readonly version: number;
  /** The version that the tables match; undefined if they match none. */
  readonly matching: number | undefined;
  /** Tables and indexes that differ from the recorded version, if no version matches. */
  readonly differing: readonly string[];
}

/** Compares the tables with the schema of each version. Throws `DATABASE_TOO_NEW`. */
export function inspectSchema(connection: Connection, file: string): SchemaState {
  const latest = MIGRATIONS.length;
  const version = Number(connection.pragma('user_version'));
  const rows = connection
    .prepare<[], [name: string, sql: string | null]>(`SELECT name, sql FROM sqlite_schema`)
    .raw()
    .all();
  const objects = new Map(rows);
  const versions = [version, ...Array.from(MIGRATIONS, (_, i) => latest - i)];
  const matching = versions.find((step) => step > 0 && step <= latest && differencesFrom(step, objects).length === 0);
  if (version > latest && matching === undefined) throw tooNew(file, version);
  const differing = matching === undefined ? differencesFrom(Math.min(Math.max(version, 1), latest), objects) : [];
  return { version, matching, differing };
}

/** The finding about the schema of a database. */
export function checkSchema({ version, matching, differing }: SchemaState): Finding {
  const check = 'schema';
  if (matching === undefined) {
    const message = `The tables do not match schema version ${version}: ${listed(differing)}.`;
    return { check, state: 'damaged', message, remedy: INDEX_AGAIN };
  }
  if (matching === version) return { check, state: 'ok', message: `The schema version is ${version}.` };
  const message = `The recorded schema version is ${version}, but the tables match version ${matching}.`;
  return { check, state: 'damaged', message, remedy: REPAIR };
}
