import { randomBytes } from 'node:crypto';
import { KEY_SIZE, putSigningKey, signingKey } from '../../sqlite/accounts/signing-key.js';
import { damagedNames, isDamaged, SETTINGS, type SettingsTable } from '../checks/settings.js';
import type { DoctorContext } from '../context.js';

/** How the damaged rows of each table are repaired: an assignment of an UPDATE, or undefined to delete them. */
const REPAIRS: readonly {
  readonly settings: SettingsTable;
  readonly set: string | undefined;
  readonly done: (name: string) => string;
}[] = [
  { settings: SETTINGS.bots, set: `tags = '{}'`, done: (name) => `Removed the damaged tags of the bot ${name}.` },
  {
    settings: SETTINGS.knowledgeBases,
    set: `tags = '{}'`,
    done: (name) => `Removed the damaged tags of the knowledge base ${name}.`,
  },
  {
    // A folder without its patterns would be indexed with the files that it was to skip.
    settings: SETTINGS.folders,
    set: undefined,
    done: (name) => `Forgot the folder ${name}, whose settings were damaged: index it again with its settings.`,
  },
  {
    // An empty list permits all bots: the token is revoked.
    settings: SETTINGS.tokens,
    set: `bots = '[]', revoked_at = coalesce(revoked_at, strftime('%Y-%m-%dT%H:%M:%fZ'))`,
    done: (name) => `Revoked the token ${name}, whose list of bots was damaged: create another one.`,
  },
];

const NEW_KEY = 'Made a new signing key: addresses of file contents that were given out before are no longer valid.';

/** Resets settings that cannot be read, and makes a new signing key for a damaged one. Returns a sentence for each. */
export async function resetSettings({ connection }: DoctorContext): Promise<string[]> {
  return connection.write(() => {
    const key = signingKey(connection);
    if (!key) putSigningKey(connection, randomBytes(KEY_SIZE));
    const reset = REPAIRS.flatMap(({ settings, set, done }) => {
      const names = damagedNames(connection, settings);
      const statement = set === undefined ? `DELETE FROM ${settings.table}` : `UPDATE ${settings.table} SET ${set}`;
      if (names.length > 0) connection.exec(`${statement} WHERE ${isDamaged(settings)}`);
      return names.map(done);
    });
    return [...reset, ...(key ? [] : [NEW_KEY])];
  });
}
