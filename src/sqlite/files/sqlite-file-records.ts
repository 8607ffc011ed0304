import { ulid } from 'ulid';
import { AnswerSize } from '../../domain/answer-size.js';
import { changedMetadata, changedTags } from '../../domain/description.js';
import type { Page } from '../../storage/accounts.js';
import type { FileContent, StagedContent } from '../../storage/contents.js';
import { missingFile } from '../../storage/failures.js';
import type {
  FileChanges,
  FileIdentity,
  FileRecord,
  FileRecords,
  FileSortField,
  FileStatus,
  FileToUpload,
  PendingFile,
} from '../../storage/file-records.js';
import type { FileVersion } from '../../storage/passage-store.js';
import { assertBot } from '../accounts/assert-bot.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';
import { takeContent } from './contents.js';
import { EXPIRED, EXPIRED_FILES, OUTDATED, PENDING } from './file-conditions.js';
import { intactRecordOf, RECORD, type RecordRow, recordOf } from './file-record-row.js';
import { setTags } from './files.js';
import { assertSealed, sealFile } from './seal-file.js';
import { storedContent } from './stored-content.js';
import { tagCondition } from './tag-condition.js';

const SORT_COLUMNS: Readonly<Record<FileSortField, string>> = {
  key: 'files.key',
  size: 'files.size',
  createdAt: 'files.created_at',
  updatedAt: 'files.updated_at',
  status: 'files.status',
};

/** The columns that depend on the content, for an upsert that brings the new content. */
const REPLACED = `size = excluded.size, content_type = excluded.content_type, searched = excluded.searched,
  status = excluded.status, reason = NULL`;

const HAS_CONTENT = `(files.hash <> '' OR EXISTS (SELECT 1 FROM contents WHERE contents.file = files.number))`;

/** The same for an upsert that announces a content: a former content, with its size and status, stays until then. */
const ANNOUNCED = `
  size = iif(${HAS_CONTENT}, files.size, excluded.size),
  content_type = iif(${HAS_CONTENT}, files.content_type, excluded.content_type),
  searched = iif(${HAS_CONTENT}, files.searched, excluded.searched),
  status = iif(files.${OUTDATED}, files.status, excluded.status),
  reason = iif(files.${OUTDATED}, files.reason, NULL)`;

/** The records of one bot's files, in SQLite. */
export class SqliteFileRecords implements FileRecords {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  async find(idOrKey: string): Promise<FileRecord | undefined> {
    return this.#read(() => this.#found<RecordRow>(RECORD, idOrKey));
  }

  async identify(idOrKey: string): Promise<FileIdentity | undefined> {
    return this.#found<FileIdentity>('id, key', idOrKey);
  }

  async withKey(key: string): Promise<FileRecord | undefined> {
    return this.#read(() =>
      this.#connection
        .cached<[number, string, string], RecordRow>(
          `SELECT ${RECORD} FROM files WHERE bot = ? AND key = ? AND NOT ${EXPIRED}`,
        )
        .get(this.#bot, key, new Date().toISOString()),
    );
  }

  async page(...request: Parameters<FileRecords['page']>): Promise<Page<FileRecord>> {
    // Rows are compared with their checksums on the snapshot that they were read from.
    return this.#connection.read(() => this.#page(...request));
  }

  #page(
    filter: Parameters<FileRecords['page']>[0],
    { sortField, ...page }: Parameters<FileRecords['page']>[1],
  ): Page<FileRecord> {
    const tags = tagCondition(filter.tags);
    const { items, ...rest } = pageOf<RecordRow & Paged>(
      this.#connection,
      {
        select: RECORD,
        from: `files WHERE bot = ? AND NOT ${EXPIRED} AND ${tags.sql}
               AND (? IS NULL OR files.id IN (SELECT value FROM json_each(?)))
               AND coalesce(? = (status = 'indexing_completed'), TRUE)`,
        sort: SORT_COLUMNS[sortField],
        number: 'files.number',
        parameters: [
          this.#bot,
          new Date().toISOString(),
          ...tags.parameters,
          filter.ids ? 1 : null,
          JSON.stringify(filter.ids ?? []),
          filter.indexed === undefined ? null : Number(filter.indexed),
        ],
      },
      page,
    );
    const size = new AnswerSize('lower pageSize');
    for (const { metadata, tags: json } of items) size.addTexts(metadata, json);
    return { items: items.map((row) => intactRecordOf(this.#connection, row)), ...rest };
  }

  async hasPending(): Promise<boolean> {
    const found = this.#connection
      .cached<[number], number>(`SELECT 1 FROM files WHERE ${PENDING} AND +bot = ? LIMIT 1`)
      .pluck()
      .get(this.#bot);
    return found !== undefined;
  }

  async pending({ after, limit }: Parameters<FileRecords['pending']>[0]): Promise<PendingFile[]> {
    return this.#connection
      .cached<[number, string, number], PendingFile>(
        `SELECT id, size FROM files WHERE ${PENDING} AND +bot = ? AND id > ? ORDER BY id LIMIT ?`,
      )
      .all(this.#bot, after, limit);
  }

  async content(id: string): Promise<FileContent | undefined> {
    return storedContent(this.#connection, id);
  }

  async tags({ tag, after, limit }: Parameters<FileRecords['tags']>[0]): Promise<string[]> {
    const column = tag === undefined ? 'file_tags.key' : 'value';
    return this.#connection
      .prepare<unknown[], string>(
        `SELECT DISTINCT ${column} AS name FROM file_tags JOIN files ON files.number = file
         WHERE bot = ? AND NOT ${EXPIRED} AND file_tags.key = coalesce(?, file_tags.key) AND (? IS NULL OR name > ?)
         ORDER BY name LIMIT ?`,
      )
      .pluck()
      .all(this.#bot, new Date().toISOString(), tag ?? null, after ?? null, after ?? null, limit);
  }

  async expired(): Promise<(FileVersion & { key: string })[]> {
    return this.#connection
      .cached<[number, string], FileVersion & { key: string }>(`SELECT id, version, key FROM ${EXPIRED_FILES}`)
      .all(this.#bot, new Date().toISOString());
  }

  async upsert(
    file: FileToUpload,
    { content, isNew = false }: Parameters<FileRecords['upsert']>[1] = {},
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#connection.write(() => {
      const now = new Date().toISOString();
      assertBot(this.#connection, this.#bot);
      const hasExpired = this.#connection
        .cached<[string, number, string], number>(`SELECT ${EXPIRED} FROM files WHERE bot = ? AND key = ?`)
        .pluck()
        .get(now, this.#bot, file.key);
      if (hasExpired) return 'expired';
      if (isNew && hasExpired !== undefined) return 'taken';
      const { number, id } = this.#connection
        .cached<[object], { number: number; id: string }>(
          `INSERT INTO files (id, bot, key, size, hash, pipeline, content_type, metadata, warnings, created_at,
                              updated_at, indexed_at, status, searched, access_policies, expires_at)
           VALUES (@id, @bot, @key, @size, '', '', @contentType, @metadata, '[]', @now, @now, 0, 'upload_pending',
                   @index, @accessPolicies, @expiresAt)
           ON CONFLICT (bot, key) DO UPDATE SET
             ${content ? REPLACED : ANNOUNCED}, metadata = excluded.metadata, updated_at = excluded.updated_at,
             access_policies = excluded.access_policies, expires_at = excluded.expires_at
           RETURNING number, id`,
        )
        .get({
          ...file,
          id: `file_${ulid()}`,
          bot: this.#bot,
          metadata: JSON.stringify(file.metadata),
          index: Number(file.index),
          accessPolicies: JSON.stringify(file.accessPolicies),
          expiresAt: file.expiresAt ?? null,
          now,
        }) as { number: number; id: string };
      setTags(this.#connection, number, file.tags);
      if (content) this.#receive(number, content);
      sealFile(this.#connection, number);
      return recordOf(this.#row(id));
    });
  }

  async receive(fileId: string, contentType: string, content: StagedContent): Promise<FileRecord | undefined> {
    return this.#connection.write(() => {
      assertSealed(this.#connection, fileId);
      const number = this.#connection
        .cached<[string, string, string], number>(
          `UPDATE files SET content_type = ?, searched = 1 WHERE id = ? AND NOT ${EXPIRED} RETURNING number`,
        )
        .pluck()
        .get(contentType, fileId, new Date().toISOString());
      if (number === undefined) return undefined;
      this.#receive(number, content);
      sealFile(this.#connection, number);
      return recordOf(this.#row(fileId));
    });
  }

  async fail(over: FileVersion, { status, reason }: { status: FileStatus; reason: string }): Promise<boolean> {
    return this.#connection.write(() => {
      assertSealed(this.#connection, over.id);
      const number = this.#connection
        .cached<unknown[], number>(
          `UPDATE files SET status = ?, reason = ?, updated_at = ? WHERE id = ? AND version = ? RETURNING number`,
        )
        .pluck()
        .get(status, reason, new Date().toISOString(), over.id, over.version);
      if (number !== undefined) sealFile(this.#connection, number);
      return number !== undefined;
    });
  }

  async patch(id: string, { tags, metadata, accessPolicies, expiresAt }: FileChanges): Promise<FileRecord> {
    return this.#connection.write(() => {
      const row = this.#row(id);
      const file = intactRecordOf(this.#connection, row);
      const [newTags, newMetadata] = [changedTags(file.tags, tags), changedMetadata(file.metadata, metadata)];
      this.#connection
        .prepare(`UPDATE files SET metadata = ?, access_policies = ?, expires_at = ?, updated_at = ? WHERE number = ?`)
        .run(
          JSON.stringify(newMetadata),
          JSON.stringify(accessPolicies ?? file.accessPolicies),
          expiresAt === undefined ? row.expiresAt : expiresAt,
          new Date().toISOString(),
          row.number,
        );
      setTags(this.#connection, row.number, newTags);
      sealFile(this.#connection, row.number);
      return recordOf(this.#row(id));
    });
  }

  /** A file by its id or key, with some columns of its row. */
  #found<Row>(columns: string, idOrKey: string): Row | undefined {
    return this.#connection
      .cached<[number, string, string, string, string], Row>(
        `SELECT ${columns} FROM files WHERE bot = ? AND (files.id = ? OR files.key = ?) AND NOT ${EXPIRED}
         ORDER BY files.id = ? DESC`,
      )
      .get(this.#bot, idOrKey, idOrKey, new Date().toISOString(), idOrKey);
  }

  /** The record of a row, compared with its checksum on the same snapshot. */
  #read(read: () => RecordRow | undefined): FileRecord | undefined {
    return this.#connection.read(() => {
      const row = read();
      return row && intactRecordOf(this.#connection, row);
    });
  }

  /** Takes a content that is to be indexed. Without an mtime, the file counts as changed in the folder it came from. */
  #receive(number: number, content: StagedContent): void {
    takeContent(this.#connection, number, content);
    const now = new Date();
    this.#connection
      .cached(
        `UPDATE files SET size = ?, mtime = NULL, status = 'indexing_pending', reason = NULL, updated_at = ?,
                          indexed_at = ? WHERE number = ?`,
      )
      .run(content.size, now.toISOString(), now.getTime(), number);
  }

  #row(id: string): RecordRow {
    const row = this.#connection.cached<[string], RecordRow>(`SELECT ${RECORD} FROM files WHERE files.id = ?`).get(id);
    if (row) return row;
    throw missingFile(id);
  }
}
