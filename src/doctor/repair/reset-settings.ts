import { randomBytes } from 'node:crypto';
import { KEY_SIZE, putSigningKey, signingKey } from '../../sqlite/accounts/signing-key.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { type DamagedRow, damagedRows, SETTINGS, type SettingsTable } from '../checks/settings.js';
import type { DoctorContext } from '../context.js';

/** The values that replace damaged ones. A token keeps no right that it may not have had: it is revoked, too. */
const RESET: Readonly<Record<string, string | null>> = { tags: '{}', bots: '[]', role: 'search', expires_at: null };

/** How a damaged row of each table is repaired. Returns a sentence. */
const REPAIRS: readonly {
  readonly settings: SettingsTable;
  readonly repair: (connection: Connection, row: DamagedRow) => string;
}[] = [
  ...[SETTINGS.bots, SETTINGS.knowledgeBases].map((settings) => ({
    settings,
    repair(connection: Connection, row: DamagedRow) {
      reset(connection, settings, row);
      return `Removed the damaged tags of the ${settings.noun} ${row.name}.`;
    },
  })),
  {
    settings: SETTINGS.folders,
    repair: (connection, { key, name }) => {
      // A folder without its patterns would be indexed with the files that it was to skip.
      connection.prepare(`DELETE FROM folders WHERE bot = ? AND folder = ?`).run(...key);
      return `Forgot the folder ${name}, whose settings were damaged: index it again with its settings.`;
    },
  },
  { settings: SETTINGS.tokens, repair: revoke },
];

const NEW_KEY = 'Made a new signing key: addresses of file contents that were given out before are no longer valid.';

/** Resets settings that cannot be read, and makes a new signing key for a damaged one. Returns a sentence for each. */
export async function resetSettings({ connection }: DoctorContext): Promise<string[]> {
  return connection.write(() => {
    const key = signingKey(connection);
    if (!key) putSigningKey(connection, randomBytes(KEY_SIZE));
    const done = REPAIRS.flatMap(({ settings, repair }) =>
      damagedRows(connection, settings).map((row) => repair(connection, row)),
    );
    return [...done, ...(key ? [] : [NEW_KEY])];
  });
}

function revoke(connection: Connection, row: DamagedRow): string {
  reset(connection, SETTINGS.tokens, row);
  connection
    .prepare(`UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE rowid = ?`)
    .run(new Date().toISOString(), ...row.key);
  const { columns }: SettingsTable = SETTINGS.tokens;
  const parts = row.columns.map((column) => columns[column]?.noun).join(' and ');
  const was = row.columns.length === 1 ? 'was' : 'were';
  return `Revoked the token ${row.name}, whose ${parts} ${was} damaged: create another one.`;
}

function reset(connection: Connection, { table }: SettingsTable, { key, columns }: DamagedRow): void {
  for (const column of columns) {
    connection.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(RESET[column] ?? null, ...key);
  }
}
