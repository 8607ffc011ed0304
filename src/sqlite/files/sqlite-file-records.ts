import { AnswerSize } from '../../domain/answer-size.js';
import { changedDescription } from '../../storage/changed-description.js';
import type { FileContent, StagedContent, UsedAddress } from '../../storage/contents.js';
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
import type { Page } from '../../storage/page.js';
import type { FileVersion } from '../../storage/passage-store.js';
import { assertBot } from '../accounts/assert-bot.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';
import { fileWithContent, takeContent } from './contents.js';
import { EXPIRED, EXPIRED_FILES, OUTDATED, PENDING } from './file-conditions.js';
import { announcedRecord, intactRecordOf, RECORD, type RecordRow, recordOf, SIZE } from './file-record-row.js';
import { setTags } from './files.js';
import { putUploadRow } from './put-file-row.js';
import { assertSealed, isFileIntact, sealFile } from './seal-file.js';
import { storedContent } from './stored-content.js';
import { tagCondition } from './tag-condition.js';
import { changeAnnounced, closeAddress, openAddress } from './upload-addresses.js';

const SORT_COLUMNS: Readonly<Record<FileSortField, string>> = {
  key: 'files.key',
  size: `coalesce(${SIZE}, -1)`,
  createdAt: 'files.created_at',
  updatedAt: 'files.updated_at',
  status: 'files.status',
};

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
        list: `files.${sortField}`,
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

  async withContent(...[idOrKey, isWanted = () => true]: Parameters<FileRecords['withContent']>) {
    return this.#connection.read(() => {
      const record = this.#read(() => this.#found<RecordRow>(RECORD, idOrKey));
      if (!record || !isWanted(record)) return undefined;
      return { record, content: storedContent(this.#connection, record.id) };
    });
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

  async announce(
    file: FileToUpload,
    { address, isNew = false }: Parameters<FileRecords['announce']>[1] = {},
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#connection.write(() => {
      const refused = this.#refused(file.key, isNew);
      if (refused) return refused;
      const { number, id } = this.#await(file);
      const row = this.#row(id);
      if (address) openAddress(this.#connection, number, { address, announced: file });
      return announcedRecord(row, file);
    });
  }

  async upsert(
    file: FileToUpload,
    content: StagedContent,
    { isNew = false }: Parameters<FileRecords['upsert']>[2] = {},
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#connection.write(() => this.#refused(file.key, isNew) ?? this.#putContent(file, content));
  }

  async receive(address: UsedAddress, content: StagedContent): Promise<FileRecord> {
    return this.#connection.write(() => {
      const { announced } = closeAddress(this.#connection, address);
      assertSealed(this.#connection, announced.id);
      return this.#putContent(announced, content);
    });
  }

  async fail(expected: FileVersion, { status, reason }: { status: FileStatus; reason: string }): Promise<boolean> {
    return this.#connection.write(() => {
      assertSealed(this.#connection, expected.id);
      const number = this.#connection
        .cached<unknown[], number>(
          `UPDATE files SET status = ?, reason = ?, updated_at = ? WHERE id = ? AND version = ? RETURNING number`,
        )
        .pluck()
        .get(status, reason, new Date().toISOString(), expected.id, expected.version);
      if (number !== undefined) sealFile(this.#connection, number);
      return number !== undefined;
    });
  }

  async patch(id: string, changes: FileChanges): Promise<FileRecord> {
    return this.#connection.write(() => {
      const row = this.#row(id);
      const file = intactRecordOf(this.#connection, row);
      const { tags, metadata, accessPolicies, expiresAt } = changedDescription(file, changes);
      this.#connection
        .prepare(`UPDATE files SET metadata = ?, access_policies = ?, expires_at = ?, updated_at = ? WHERE number = ?`)
        .run(
          JSON.stringify(metadata),
          JSON.stringify(accessPolicies),
          expiresAt ?? null,
          new Date().toISOString(),
          row.number,
        );
      setTags(this.#connection, row.number, tags);
      changeAnnounced(this.#connection, { file: row.number, key: row.key }, changes);
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

  /** Why a file may not get a key. Throws `BOT_MISSING`. */
  #refused(key: string, isNew: boolean): 'expired' | 'taken' | undefined {
    assertBot(this.#connection, this.#bot);
    const hasExpired = this.#connection
      .cached<[string, number, string], number>(`SELECT ${EXPIRED} FROM files WHERE bot = ? AND key = ?`)
      .pluck()
      .get(new Date().toISOString(), this.#bot, key);
    if (hasExpired) return 'expired';
    return isNew && hasExpired !== undefined ? 'taken' : undefined;
  }

  /**
   * Inserts or replaces a file with a content that is to be indexed. Without an mtime, the file counts as changed in
   * the folder it came from.
   */
  #putContent(file: FileToUpload, content: StagedContent): FileRecord {
    const { number, id } = putUploadRow(this.#connection, this.#bot, file);
    setTags(this.#connection, number, file.tags);
    takeContent(this.#connection, number, content);
    this.#connection
      .cached(`UPDATE files SET size = ?, mtime = NULL, status = 'indexing_pending', indexed_at = ? WHERE number = ?`)
      .run(content.size, Date.now(), number);
    sealFile(this.#connection, number);
    return recordOf(this.#row(id));
  }

  /** Marks a file as waiting for its content, and returns it: the file that has the key, or a new one. */
  #await(file: FileToUpload): { number: number; id: string } {
    const connection = this.#connection;
    const former = fileWithContent(connection, { bot: this.#bot, key: file.key });
    if (!former) {
      const row = putUploadRow(connection, this.#bot, file);
      setTags(connection, row.number, file.tags);
      sealFile(connection, row.number);
      return row;
    }
    // A new checksum would hide that a row is damaged.
    if (!isFileIntact(connection, former)) return former;
    // A file that waits to be indexed keeps waiting, and one that could not be indexed stays excluded from searches.
    const { changes } = connection
      .cached(
        `UPDATE files SET status = 'upload_pending', reason = NULL, updated_at = ?
         WHERE number = ? AND NOT ${OUTDATED}`,
      )
      .run(new Date().toISOString(), former.number);
    if (changes > 0) sealFile(connection, former.number);
    return former;
  }

  #row(id: string): RecordRow {
    const row = this.#connection.cached<[string], RecordRow>(`SELECT ${RECORD} FROM files WHERE files.id = ?`).get(id);
    if (row) return row;
    throw missingFile(id);
  }
}
