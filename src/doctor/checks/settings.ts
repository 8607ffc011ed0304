import { signingKey } from '../../sqlite/accounts/signing-key.js';
import { isExpiry, isRole } from '../../sqlite/accounts/sqlite-tokens.js';
import type { Connection } from '../../sqlite/connection/connection.js';
import { isStoredJson, type JsonShape } from '../../sqlite/connection/stored-json.js';
import type { DoctorContext } from '../context.js';
import { listed } from '../describe.js';
import { type Finding, REPAIR } from '../finding.js';

/** A column of settings. */
interface SettingsColumn {
  /** What its value is called in messages. */
  readonly noun: string;
  readonly isIntact: (value: unknown) => boolean;
}

/** Rows of settings, which have no checksum. */
export interface SettingsTable {
  readonly table: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** What a row is called in messages. */
  readonly noun: string;
  /** The column that names a row in messages. */
  readonly name: string;
  /** The columns that are checked, by their names. */
  readonly columns: Readonly<Record<string, SettingsColumn>>;
}

/** A row of settings with columns that cannot be read. */
export interface DamagedRow {
  /** The values that identify it. */
  readonly key: readonly unknown[];
  readonly name: string;
  /** Names of the damaged columns. */
  readonly columns: readonly string[];
}

const TAGS = { noun: 'tags', isIntact: isJson('tags') };

/** The tables of settings. */
export const SETTINGS = {
  bots: { table: 'bots', key: ['rowid'], noun: 'bot', name: 'name', columns: { tags: TAGS } },
  knowledgeBases: {
    table: 'knowledge_bases',
    key: ['rowid'],
    noun: 'knowledge base',
    name: 'name',
    columns: { tags: TAGS },
  },
  folders: {
    table: 'folders',
    key: ['bot', 'folder'],
    noun: 'folder',
    name: 'folder',
    columns: {
      tags: TAGS,
      tag_rules: { noun: 'tag rules', isIntact: isJson('tagRules') },
      ignore: { noun: 'patterns', isIntact: isJson('texts') },
    },
  },
  tokens: {
    table: 'tokens',
    key: ['rowid'],
    noun: 'token',
    name: 'name',
    columns: {
      bots: { noun: 'list of bots', isIntact: isJson('texts') },
      role: { noun: 'role', isIntact: isRole },
      expires_at: { noun: 'expiry', isIntact: isExpiry },
    },
  },
} as const satisfies Record<string, SettingsTable>;

/** The rows of a table with columns that cannot be read, by their names. */
export function damagedRows(connection: Connection, { table, key, name, columns }: SettingsTable): DamagedRow[] {
  const checked = Object.entries(columns);
  const read = [name, ...key, ...checked.map(([column]) => column)].join(', ');
  return connection
    .prepare<[], [string, ...unknown[]]>(`SELECT ${read} FROM ${table} ORDER BY ${name}`)
    .raw()
    .all()
    .map(([name, ...row]) => {
      const damaged = checked.filter(([, { isIntact }], i) => !isIntact(row[key.length + i])).map(([column]) => column);
      return { key: row.slice(0, key.length), name, columns: damaged };
    })
    .filter((row) => row.columns.length > 0);
}

function isJson(shape: JsonShape): SettingsColumn['isIntact'] {
  return (value) => typeof value === 'string' && isStoredJson(value, shape);
}

/** Checks the tags of bots and knowledge bases, the settings of folders, tokens, and the signing key. */
export function checkSettings({ connection }: DoctorContext): Finding {
  const check = 'settings';
  const damaged = Object.values<SettingsTable>(SETTINGS).flatMap((settings) =>
    damagedRows(connection, settings).map(({ name }) => `the ${settings.noun} ${name}`),
  );
  const faults = [
    ...(damaged.length > 0 ? [`The settings of ${listed(damaged)} are damaged.`] : []),
    ...(signingKey(connection) ? [] : ['The key that addresses are signed with is damaged.']),
  ];
  if (faults.length > 0) return { check, state: 'damaged', message: faults.join(' '), remedy: REPAIR };
  const message = 'The settings of bots, knowledge bases, folders and tokens are intact, and so is the signing key.';
  return { check, state: 'ok', message };
}
