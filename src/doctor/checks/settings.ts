import { signingKey } from '../../sqlite/accounts/signing-key.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import type { DoctorContext } from '../context.js';
import { listed } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';

/** Rows of settings, which have JSON and no checksum. */
export interface SettingsTable {
  readonly table: string;
  /** What a row is called in messages. */
  readonly noun: string;
  /** The column that names a row in messages. */
  readonly name: string;
  /** The columns with JSON. */
  readonly columns: readonly string[];
}

/** The tables of settings. */
export const SETTINGS = {
  bots: { table: 'bots', noun: 'bot', name: 'name', columns: ['tags'] },
  knowledgeBases: { table: 'knowledge_bases', noun: 'knowledge base', name: 'name', columns: ['tags'] },
  folders: { table: 'folders', noun: 'folder', name: 'folder', columns: ['tags', 'tag_rules', 'ignore'] },
  tokens: { table: 'tokens', noun: 'token', name: 'name', columns: ['bots'] },
} as const satisfies Record<string, SettingsTable>;

/** The SQL condition of rows with JSON that cannot be read. */
export function isDamaged({ columns }: SettingsTable): string {
  return `NOT (${columns.map((column) => `json_valid(${column})`).join(' AND ')})`;
}

/** The names of the rows of a table with JSON that cannot be read. */
export function damagedNames(connection: Connection, settings: SettingsTable): string[] {
  const { table, name } = settings;
  return connection
    .prepare<[], string>(`SELECT ${name} FROM ${table} WHERE ${isDamaged(settings)} ORDER BY ${name}`)
    .pluck()
    .all();
}

/** Checks the tags of bots and knowledge bases, the settings of folders, the bots of tokens, and the signing key. */
export function checkSettings({ connection }: DoctorContext): Finding {
  const check = 'settings';
  const damaged = Object.values<SettingsTable>(SETTINGS).flatMap((settings) =>
    damagedNames(connection, settings).map((name) => `the ${settings.noun} ${name}`),
  );
  const faults = [
    ...(damaged.length > 0 ? [`The settings of ${listed(damaged)} are damaged.`] : []),
    ...(signingKey(connection) ? [] : ['The key that addresses are signed with is damaged.']),
  ];
  if (faults.length > 0) return { check, state: 'damaged', message: faults.join(' '), remedy: REPAIR };
  const message = 'The settings of bots, knowledge bases, folders and tokens are intact, and so is the signing key.';
  return { check, state: 'ok', message };
}
