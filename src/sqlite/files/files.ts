import { ulid } from 'ulid';
import type { FileSummary, Tags } from '../../domain/passage.js';
import type { FileCopy, FileState } from '../../storage/copies.js';
import {
  type FileToPut,
  type FileTouch,
  type FileVersion,
  isSameVersion,
  type PutOptions,
  type RemoveOptions,
  type SeenFile,
  type StoreCounts,
  type StoredFile,
} from '../../storage/passage-store.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import { putText, removeText } from '../texts/text-parts.js';
import { keepContent, removeContent, takeContent } from './contents.js';
import { EXPIRED } from './file-conditions.js';
import { putFileRow } from './put-file-row.js';
import { assertSealed, rowOfFile, sealFile } from './seal-file.js';

/** The columns of a `SummaryRow`. */
export const SUMMARY = `
  files.id AS fileId, files.key, files.content_type AS contentType, files.metadata,
  files.created_at AS createdAt, files.updated_at AS updatedAt,
  (SELECT json_group_object(file_tags.key, value) FROM file_tags WHERE file = files.number) AS tags`;

/** The row of a `FileSummary`. */
export interface SummaryRow {
  readonly fileId: string;
  readonly key: string;
  readonly contentType: string;
  readonly metadata: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tags: string;
}

/** The summary of a row. */
export function summaryOf(row: SummaryRow): FileSummary {
  return {
    id: row.fileId,
    key: row.key,
    contentType: row.contentType,
    metadata: storedJson(row.metadata, { shape: 'object', part: rowOfFile(row.key) }),
    tags: JSON.parse(row.tags),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const STORED = `id, version, key, folder, size, mtime, ctime, inode,
  iif(status = 'indexing_completed', hash, '') AS hash, pipeline, indexed_at AS indexedAt`;

/** The fields of `SeenFile`, each of all files. */
type SeenColumns = [string[], string[], number[], (number | null)[], (number | null)[]];

/** The files of one bot, their texts and tags. */
export class Files {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  /** The files of folders that have not expired, ordered by key. */
  listSeen(): SeenFile[] {
    // A string per column instead of a row per file, which takes the driver twice as long: thousands of files are
    // compared before a search.
    const columns = this.#connection
      .prepare<[number, string], string[]>(
        `SELECT json_group_array(key), json_group_array(folder), json_group_array(size), json_group_array(mtime),
           json_group_array(ctime)
         FROM (SELECT key, folder, size, mtime, ctime FROM files
           WHERE bot = ? AND NOT ${EXPIRED} AND folder IS NOT NULL ORDER BY key)`,
      )
      .raw()
      .get(this.#bot, new Date().toISOString()) as string[];
    const [keys, folders, sizes, mtimes, ctimes] = columns.map((column) => JSON.parse(column)) as SeenColumns;
    return keys.map((key, i) => {
      const [folder, size] = [folders[i] as string, sizes[i] as number];
      return { key, folder, size, mtime: mtimes[i] ?? null, ctime: ctimes[i] ?? null };
    });
  }

  /** The files that have not expired, ordered by key. */
  list(): StoredFile[] {
    return this.#connection
      .prepare<[number, string], StoredFile>(
        `SELECT ${STORED} FROM files WHERE bot = ? AND NOT ${EXPIRED} ORDER BY key`,
      )
      .all(this.#bot, new Date().toISOString());
  }

  /** The file of a key; undefined if there is none or if it has expired. */
  find(key: string): StoredFile | undefined {
    return this.#connection
      .cached<[number, string, string], StoredFile>(
        `SELECT ${STORED} FROM files WHERE bot = ? AND key = ? AND NOT ${EXPIRED}`,
      )
      .get(this.#bot, key, new Date().toISOString());
  }

  /** The row number of a file, even if it has expired; undefined if it has another id or version than those given. */
  numberOf(key: string, { id, version }: Partial<NonNullable<RemoveOptions['only']>> = {}): number | undefined {
    return this.#connection
      .cached<unknown[], number>(
        `SELECT number FROM files
         WHERE bot = ? AND key = ? AND id = coalesce(?, id) AND version = coalesce(?, version)`,
      )
      .pluck()
      .get(this.#bot, key, id ?? null, version ?? null);
  }

  /** The row number of the file of a key, if it has expired. */
  expiredNumber(key: string): number | undefined {
    return this.#connection
      .cached<[number, string, string], number>(`SELECT number FROM files WHERE bot = ? AND key = ? AND ${EXPIRED}`)
      .pluck()
      .get(this.#bot, key, new Date().toISOString());
  }

  /** Whether the file of a key is in the state `expected`; for undefined, whether it is missing or has expired. */
  isAt(key: string, expected: FileVersion | undefined): boolean {
    return isSameVersion(this.find(key), expected);
  }

  /**
   * Inserts or updates a file's row, text and tags, even if an upload of it waits to be indexed. Like `remove`, it
   * yields where a long transaction may let other work run.
   */
  *put(
    file: FileToPut,
    {
      content = 'text',
      isSearched = true,
      failure,
      access,
    }: Pick<PutOptions, 'content' | 'isSearched' | 'failure' | 'access'> = {},
  ): Generator<void, { number: number; id: string }> {
    const known = content === 'former' ? this.numberOf(file.key) : undefined;
    const size = known === undefined ? undefined : yield* keepContent(this.#connection, known);
    const { text: _, tags, passages: __, title = null, ...columns } = file;
    const row = putFileRow(this.#connection, this.#bot, {
      ...columns,
      id: `file_${ulid()}`,
      size: size ?? file.size,
      title,
      updatedAt: new Date().toISOString(),
      status: failure !== undefined ? 'indexing_failed' : isSearched ? 'indexing_completed' : 'upload_completed',
      ...(failure !== undefined && { failedStatusReason: failure }),
      index: isSearched,
      access,
    });
    const { number } = row;
    yield* putText(this.#connection, number, file);
    if (content === 'text') removeContent(this.#connection, number);
    else if (typeof content !== 'string') takeContent(this.#connection, number, content);
    setTags(this.#connection, number, tags);
    sealFile(this.#connection, number);
    return row;
  }

  /** The row numbers of other files of the bot that have the key or the id of a file. */
  othersThan({ id, key }: Pick<FileState, 'id' | 'key'>): number[] {
    return this.#connection
      .cached<[object], number>(
        `SELECT number FROM files WHERE bot = @bot AND key = @key AND id <> @id
         UNION SELECT number FROM files WHERE bot = @bot AND key <> @key AND id = @id`,
      )
      .pluck()
      .all({ bot: this.#bot, id, key });
  }

  /** Inserts or updates the row, text, tags and content of a file that is copied. */
  *putCopy({
    state,
    text,
    content,
  }: Pick<FileCopy, 'state' | 'text' | 'content'>): Generator<void, { number: number; id: string }> {
    const { tags, passages: _, version, accessPolicies, expiresAt, keepsDescription = false, ...columns } = state;
    const access = { accessPolicies, expiresAt };
    const row = putFileRow(this.#connection, this.#bot, { ...columns, access, keepsDescription });
    const { number } = row;
    if (text === undefined) yield* removeText(this.#connection, number);
    else yield* putText(this.#connection, number, { text, hash: state.hash });
    if (content) takeContent(this.#connection, number, content);
    else removeContent(this.#connection, number);
    setTags(this.#connection, number, tags);
    sealFile(this.#connection, number);
    this.#connection.cached(`UPDATE files SET version = ? WHERE number = ?`).run(version, number);
    return row;
  }

  touch({ id, version }: FileVersion, file: FileTouch): boolean {
    assertSealed(this.#connection, id);
    // Another file may have got the key meanwhile.
    const holder = this.find(file.key)?.id ?? id;
    const number = this.#connection
      .cached<[object], number>(
        `UPDATE files SET key = @key, folder = @folder, size = @size, mtime = @mtime, ctime = @ctime, inode = @inode,
                          indexed_at = @indexedAt
         WHERE id = @id AND id = @holder AND version = @version AND bot = @bot RETURNING number`,
      )
      .pluck()
      .get({ ...file, id, holder, version, bot: this.#bot });
    if (number !== undefined) sealFile(this.#connection, number);
    return number !== undefined;
  }

  *remove(number: number): Generator<void> {
    yield* removeText(this.#connection, number);
    this.#connection.cached(`DELETE FROM files WHERE number = ?`).run(number);
  }

  counts(): Pick<StoreCounts, 'files' | 'folders' | 'warnings'> {
    const folders = this.#connection
      .prepare<[number], { folder: string | null; files: number }>(
        `SELECT folder, count(*) AS files FROM files WHERE bot = ? GROUP BY folder ORDER BY folder`,
      )
      .all(this.#bot);
    const warnings = this.#connection
      .prepare<[number], { key: string; warnings: string }>(
        `SELECT key, warnings FROM files WHERE bot = ? AND warnings <> '[]' ORDER BY key`,
      )
      .all(this.#bot)
      .flatMap(({ key, warnings }) =>
        storedJson<string[]>(warnings, { shape: 'texts', part: rowOfFile(key) }).map((reason) => ({ key, reason })),
      );
    return { files: folders.reduce((sum, { files }) => sum + files, 0), folders, warnings };
  }
}

/** Replaces the tags of a file. */
export function setTags(connection: Connection, number: number, tags: Tags): void {
  connection.cached(`DELETE FROM file_tags WHERE file = ?`).run(number);
  const insert = connection.cached(`INSERT INTO file_tags (file, key, value) VALUES (?, ?, ?)`);
  for (const [key, value] of Object.entries(tags)) insert.run(number, key, value);
}
