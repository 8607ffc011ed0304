import type { Connection } from '../sqlite/connection/connection.js';
import { counted, type Finding, named, REPAIR, sqliteMessage } from './finding.js';

/** What SQLite itself finds wrong, by what can be done about it. */
export interface Structure {
  /** In its own words: what cannot be mended. */
  readonly malformed: readonly string[];
  /** Indexes that do not say what their tables say: they can be made again. */
  readonly indexes: readonly string[];
  /** Columns with values that their table forbids: the rows have checksums. */
  readonly values: readonly string[];
  /** Postings whose own structure is damaged: they can be made again. */
  readonly postings: readonly string[];
  /** Tables with rows of something that is gone. */
  readonly strays: readonly string[];
}

/** Tables that can be made again, or whose rows have checksums to tell a damaged row from a damaged index. */
const MENDABLE = /^(?:sqlite_autoindex_)?(?:passages|embeddings|changes|files|file_tags)(?:_|$)/;

/** As SQLite and FTS5 name postings that are damaged. */
const POSTINGS = /(?:FTS5 table main\.|from table ")(postings_\d+)/;

export function structureOf(connection: Connection): Structure {
  const structure = { malformed: [] as string[], indexes: [] as string[], values: [] as string[] };
  const postings: string[] = [];
  for (const message of integrityOf(connection)) {
    const [, table] = POSTINGS.exec(message) ?? [];
    const [, index = ''] = /\bindex (\w+)$/.exec(message) ?? [];
    const [, column = ''] = /\bvalue in (\w+\.\w+)/.exec(message) ?? [];
    if (table !== undefined) postings.push(table);
    else if (MENDABLE.test(index)) structure.indexes.push(index);
    else if (MENDABLE.test(column)) structure.values.push(column);
    else structure.malformed.push(message);
  }
  const strays = tryAll(() =>
    connection.pragmaRows<{ readonly table: string }>('foreign_key_check').map(({ table }) => table),
  );
  return { ...structure, postings: [...new Set(postings)], strays: [...new Set(strays)] };
}

export function checkStructure({ malformed, indexes, values, postings, strays }: Structure): Finding {
  const check = 'structure';
  if (malformed.length > 0) {
    return {
      check,
      state: 'damaged',
      message: `SQLite finds the database malformed: ${named(malformed)}.`,
      remedy:
        'index again into a new file, with --database: the texts are in their folders, and only what programs gave is lost',
    };
  }
  const wrong = [
    ...(indexes.length > 0 ? [`the indexes ${named([...new Set(indexes)])} do not say what their tables say`] : []),
    ...(values.length > 0 ? [`${named([...new Set(values)])} has values that it cannot have`] : []),
    ...(postings.length > 0 ? [`${named(postings)} cannot be read`] : []),
    ...(strays.length > 0 ? [`${named(strays)} has rows of something that is gone`] : []),
  ];
  if (wrong.length === 0) {
    return { check, state: 'ok', message: 'SQLite finds every page, row, index and reference as it has to be.' };
  }
  const message = `SQLite finds ${counted(wrong.length, 'fault')}: ${wrong.join('; ')}.`;
  return { check, state: 'damaged', message, remedy: REPAIR };
}

function integrityOf(connection: Connection): string[] {
  const foreign = foreignPostings(connection).map((table) => `FTS5 table main.${table} is of another format`);
  const messages = foreign.length > 0 ? foreign : tryAll(() => integrityBy(connection, 'integrity_check'));
  if (!messages.some((message) => POSTINGS.test(message))) return messages;
  // Postings that FTS5 cannot read may end SQLite's check of everything: the other tables are asked one by one.
  const tables = connection
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
    .pluck()
    .all();
  const others = tables.flatMap((table) => tryAll(() => integrityBy(connection, `integrity_check('${table}')`)));
  return [...new Set([...messages, ...others])];
}

function integrityBy(connection: Connection, check: string): string[] {
  return connection
    .pragmaRows<{ readonly integrity_check: string }>(check)
    .map(({ integrity_check }) => integrity_check)
    .filter((message) => message !== 'ok');
}

/** Postings that say of themselves that they are of a format that FTS5 does not know. */
function foreignPostings(connection: Connection): string[] {
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

/** Of which FTS5 makes the first. */
const FTS5_FORMATS = [4, 5];

/** A database may be too damaged for the question, too: that is the answer then. */
function tryAll(question: () => string[]): string[] {
  try {
    return question();
  } catch (error) {
    return [sqliteMessage(error)];
  }
}
