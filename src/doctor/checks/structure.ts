import type { Connection } from '../../sqlite/connection/connection.js';
import { listed, sqliteMessage } from '../describe.js';
import { type Finding, INDEX_AGAIN, REPAIR } from '../finding.js';

/** What SQLite's own checks report, by what a repair can do about it. */
export interface Structure {
  /** SQLite's messages about damage that cannot be repaired. */
  readonly malformed: readonly string[];
  /** Indexes that do not match their tables: they can be rebuilt. */
  readonly indexes: readonly string[];
  /** Columns with values of a wrong type: the rows have checksums or can be recounted. */
  readonly columns: readonly string[];
  /** Posting tables that FTS5 cannot read: they can be rebuilt. */
  readonly postings: readonly string[];
  /** Tables with rows that refer to missing rows: they can be removed. */
  readonly orphans: readonly string[];
}

/** A row that refers to a missing one. */
interface Orphan {
  readonly table: string;
  readonly parent: string;
}

/** Tables whose damaged rows the other checks find. */
const REPAIRABLE_TABLES: readonly string[] = [
  ...['passages', 'embeddings', 'changes', 'files', 'file_tags', 'file_terms'],
  ...['texts', 'text_parts', 'contents', 'content_parts', 'posting_totals'],
];

/** Tables whose rows are not removed if they refer to missing rows: too much would be lost with them. */
export const IRREPLACEABLE_TABLES: readonly string[] = ['bots', 'files', 'passages', 'embeddings'];

/**
 * Tables whose indexes can be rebuilt from their rows. If the row was damaged, not the index, the damaged value counts
 * from then on: a token, for example, is no longer accepted. Bots and workspaces are left out: one with a damaged name
 * would be lost unnoticed.
 */
export const INDEXED_TABLES: readonly string[] = [
  ...REPAIRABLE_TABLES,
  ...['uploads', 'staged_files', 'staged_passages', 'knowledge_bases', 'tokens'],
];

const REPAIRABLE = new RegExp(`^(?:${REPAIRABLE_TABLES.join('|')})[.]`);
const INDEX = new RegExp(`^(?:sqlite_autoindex_)?(?:${INDEXED_TABLES.join('|')})(?:_|$)`);

/** References that cannot be restored, as `from to`: what refers to the missing rows is all that there is of a bot. */
const IRREPARABLE_REFERENCES = ['files bots', 'bots models'];

/** How SQLite and FTS5 name a damaged posting table. */
const POSTINGS = /(?:FTS5 table main\.|from table ")(postings_\d+)/;

/** SQLite's messages about what is free, and about who refers to a page: all rows can be read. */
const FREE_SPACE = /^Fragmentation of |(?:Bad ptr map entry|Failed to read ptrmap) key=/;
const FREE_PAGES = /^Freelist: /;

/** Free pages that their list lacks; without damage to the list, what they belong to is lost. */
const UNUSED_PAGE = /^Page \d+: never used$/;

/** Maximum messages of SQLite's check. Its default is 100, but a lost list of free pages is a message for each page. */
const MOST = 10_000;

/** The formats that FTS5 knows. */
const FTS5_FORMATS = [4, 5];

/** Runs SQLite's integrity check and its check of foreign keys. */
export function inspectStructure(connection: Connection): Structure {
  const malformed = new Set<string>();
  const indexes = new Set<string>();
  const columns = new Set<string>();
  const postings = new Set<string>();
  for (const message of integrityMessages(connection)) {
    const [, table] = POSTINGS.exec(message) ?? [];
    const [, index = ''] = /\bindex (\w+)$/.exec(message) ?? [];
    const [, column = ''] = /\bvalue in (\w+\.\w+)/.exec(message) ?? [];
    if (table !== undefined) postings.add(table);
    else if (INDEX.test(index)) indexes.add(index);
    else if (REPAIRABLE.test(column)) columns.add(column);
    else malformed.add(message);
  }
  const orphans = new Set<string>();
  const failures = messagesOf(() => {
    for (const { table, parent } of connection.pragmaRows<Orphan>('foreign_key_check')) {
      if (IRREPARABLE_REFERENCES.includes(`${table} ${parent}`)) malformed.add(`${table} refers to missing ${parent}`);
      else orphans.add(table);
    }
    return [];
  });
  for (const failure of failures) malformed.add(failure);
  return {
    malformed: [...malformed],
    indexes: [...indexes],
    columns: [...columns],
    postings: [...postings],
    orphans: [...orphans],
  };
}

/** Whether the damage is only to SQLite's lists of what is free, and of who refers to a page. */
export function isOfFreeSpace({ malformed }: Structure): boolean {
  if (malformed.length === 0 || malformed.length >= MOST) return false;
  const kinds = malformed.some((message) => FREE_PAGES.test(message))
    ? [FREE_SPACE, FREE_PAGES, UNUSED_PAGE]
    : [FREE_SPACE];
  return malformed.every((message) => kinds.some((kind) => kind.test(message)));
}

/** The finding about what SQLite's checks reported. */
export function checkStructure(structure: Structure): Finding {
  const check = 'structure';
  const { malformed, indexes, columns, postings, orphans } = structure;
  if (malformed.length > 0) {
    const message = `The database is malformed: ${listed(malformed)}.`;
    return { check, state: 'damaged', message, remedy: isOfFreeSpace(structure) ? REPAIR : INDEX_AGAIN };
  }
  const faults = [
    ...indexes.map((index) => `the index ${index} does not match its table`),
    ...columns.map((column) => `${column} has a value of a wrong type`),
    ...postings.map((table) => `${table} cannot be read`),
    ...orphans.map((table) => `${table} refers to missing rows`),
  ];
  if (faults.length === 0) {
    return { check, state: 'ok', message: 'All pages, rows, indexes and references are intact.' };
  }
  return { check, state: 'damaged', message: `The database is damaged: ${listed(faults)}.`, remedy: REPAIR };
}

function integrityMessages(connection: Connection): string[] {
  const unknown = postingsOfUnknownFormat(connection);
  const messages =
    unknown.length > 0
      ? unknown.map((table) => `FTS5 table main.${table} is of another format`)
      : messagesOf(() => integrityCheck(connection, `integrity_check(${MOST})`));
  if (!messages.some((message) => POSTINGS.test(message))) return messages;
  // An unreadable posting table may end the check of everything: check the other tables one by one.
  const tables = connection
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
    .pluck()
    .all();
  const others = tables.flatMap((table) => messagesOf(() => integrityCheck(connection, `integrity_check('${table}')`)));
  return [...new Set([...messages, ...others])];
}

function integrityCheck(connection: Connection, pragma: string): string[] {
  return connection.read(() => {
    noticeChanges(connection);
    return (
      connection
        .pragmaRows<{ readonly integrity_check: string }>(pragma)
        // What it finds in the pages of a database is one row of many lines, below a heading.
        .flatMap(({ integrity_check }) => integrity_check.split('\n'))
        .filter((message) => message !== 'ok' && !message.startsWith('***'))
    );
  });
}

/**
 * Makes FTS5 notice what other processes have changed. It keeps the layout of a posting table that this connection has
 * used; a query compares it with the database first, but the check does not, and calls a healthy table damaged.
 */
function noticeChanges(connection: Connection): void {
  const tables = connection
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE name GLOB 'postings_[0-9]*' AND rootpage = 0`)
    .pluck()
    .all();
  for (const table of tables) messagesOf(() => connection.prepare<[], string>(`SELECT 1 FROM ${table} LIMIT 1`).all());
}

/** Posting tables whose recorded format FTS5 does not know: it would refuse every statement that names them. */
function postingsOfUnknownFormat(connection: Connection): string[] {
  const tables = connection
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE name GLOB 'postings_[0-9]*_config'`)
    .pluck()
    .all();
  return tables
    .filter((table) => {
      const version = connection.prepare<[], number>(`SELECT v FROM ${table} WHERE k = 'version'`).pluck().get();
      return version === undefined || !FTS5_FORMATS.includes(version);
    })
    .map((table) => table.replace(/_config$/, ''));
}

/** A database may be too damaged for a check: then SQLite's error is the message. */
function messagesOf(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    return [sqliteMessage(error)];
  }
}
