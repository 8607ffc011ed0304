import { ulid } from 'ulid';
import { AnswerSize } from '../../domain/answer-size.js';
import { excessOfMetadata, excessOfTags } from '../../domain/description.js';
import { WaymarkError } from '../../domain/errors.js';
import { limitError } from '../../domain/excess.js';
import type { Tags } from '../../domain/passage.js';
import type { Page } from '../../storage/accounts.js';
import type {
  FileChanges,
  FileRecord,
  FileRecords,
  FileSortField,
  FileStatus,
  FileToUpload,
} from '../../storage/file-records.js';
import { damagedPart, updateChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { crc32 } from '../connection/crc32.js';
import { type Paged, pageOf } from '../connection/page.js';
import { RECORD, type RecordRow, recordOf } from './file-record-row.js';
import { hasHash } from './file-texts.js';

import { tagCondition } from './tag-condition.js';

const SORT_COLUMNS: Readonly<Record<FileSortField, string>> = {
  key: 'files.key',
  size: 'files.size',
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
    const row = this.#connection
      .cached<[number, string, string, string], RecordRow>(
        `SELECT ${RECORD} FROM files WHERE bot = ? AND (files.id = ? OR files.key = ?) ORDER BY files.id = ? DESC`,
      )
      .get(this.#bot, idOrKey, idOrKey, idOrKey);
    return row && recordOf(row);
  }

  async page(
    filter: Parameters<FileRecords['page']>[0],
    { sortField, ...page }: Parameters<FileRecords['page']>[1],
  ): Promise<Page<FileRecord>> {
    const tags = tagCondition(filter.tags);
    const { items, ...rest } = pageOf<RecordRow & Paged>(
      this.#connection,
      {
        select: RECORD,
        from: `files WHERE bot = ? AND ${tags.sql}
               AND (? IS NULL OR files.id IN (SELECT value FROM json_each(?))) AND searched = coalesce(?, searched)`,
        sort: SORT_COLUMNS[sortField],
        number: 'files.number',
        parameters: [
          this.#bot,
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
    return { items: items.map(recordOf), ...rest };
  }

  async inStatus(status: FileStatus): Promise<FileRecord[]> {
    return this.#connection
      .prepare<[number, FileStatus], RecordRow>(
        `SELECT ${RECORD} FROM files WHERE bot = ? AND status = ? ORDER BY files.updated_at, files.number`,
      )
      .all(this.#bot, status)
      .map(recordOf);
  }

  async content(id: string): Promise<Uint8Array | undefined> {
    const upload = this.#connection
      .prepare<[string], { key: string; bytes: Buffer; checksum: number | null }>(
        `SELECT key, bytes, contents.checksum FROM contents JOIN files ON number = file WHERE id = ?`,
      )
      .get(id);
    if (upload) {
      if (upload.checksum === null || upload.checksum === crc32(upload.bytes)) return upload.bytes;
      throw damagedPart(`The content of ${upload.key}`);
    }
    const indexed = this.#connection
      .prepare<[string], { key: string; text: string; hash: string }>(
        `SELECT key, text, hash FROM files JOIN texts ON file = number WHERE id = ?`,
      )
      .get(id);
    if (!indexed) return undefined;
    if (hasHash(indexed.text, indexed.hash)) return Buffer.from(indexed.text);
    throw damagedPart(`The text of ${indexed.key}`);
  }

  async expectedSize(id: string): Promise<number> {
    return this.#connection.prepare<[string], number>(`SELECT size FROM files WHERE id = ?`).pluck().get(id) ?? 0;
  }

  async tags({ tag, after, limit }: Parameters<FileRecords['tags']>[0]): Promise<string[]> {
    const column = tag === undefined ? 'file_tags.key' : 'value';
    return this.#connection
      .prepare<unknown[], string>(
        `SELECT DISTINCT ${column} AS name FROM file_tags JOIN files ON files.number = file
         WHERE bot = ? AND file_tags.key = coalesce(?, file_tags.key) AND (? IS NULL OR name > ?)
         ORDER BY name LIMIT ?`,
      )
      .pluck()
      .all(this.#bot, tag ?? null, after ?? null, after ?? null, limit);
  }

  async expired(): Promise<string[]> {
    // By julianday: times in zones other than UTC do not sort as strings.
    return this.#connection
      .cached<[number, string], string>(
        `SELECT key FROM files WHERE bot = ? AND expires_at IS NOT NULL AND julianday(expires_at) <= julianday(?)`,
      )
      .pluck()
      .all(this.#bot, new Date().toISOString());
  }

  async upsertPending(file: FileToUpload): Promise<FileRecord> {
    return this.#connection.write(() => {
      const now = new Date().toISOString();
      const { number, id } = this.#connection
        .prepare<unknown[], { number: number; id: string }>(
          `INSERT INTO files (id, bot, key, size, hash, pipeline, content_type, metadata, warnings, created_at,
                              updated_at, indexed_at, status, searched, access_policies, expires_at)
           VALUES (@id, @bot, @key, @size, '', '', @contentType, @metadata, '[]', @now, @now, 0, 'upload_pending',
                   @index, @accessPolicies, @expiresAt)
           ON CONFLICT (bot, key) DO UPDATE SET
             size = excluded.size, content_type = excluded.content_type, metadata = excluded.metadata,
             updated_at = excluded.updated_at, status = excluded.status, reason = NULL, searched = excluded.searched,
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
      this.#setTags(number, file.tags);
      updateChecksum(this.#connection, number);
      return recordOf(this.#row(id));
    });
  }

  async receive(id: string, { bytes, status }: { bytes: Uint8Array; status: FileStatus }): Promise<void> {
    this.#connection.write(() => {
      const { number } = this.#row(id);
      this.#connection
        .prepare(
          `INSERT INTO contents (file, bytes, checksum) VALUES (?, ?, ?)
           ON CONFLICT (file) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum`,
        )
        .run(number, bytes, crc32(bytes));
      this.#connection.prepare(`UPDATE files SET size = ? WHERE number = ?`).run(bytes.length, number);
      this.#setStatus(number, { status });
    });
  }

  async markIndexed(id: string, bytes: Uint8Array): Promise<void> {
    this.#connection.write(() => {
      const number = this.#numberOf(id);
      if (number === undefined) return;
      // The text is the content from now on.
      const { changes } = this.#connection
        .prepare(`DELETE FROM contents WHERE file = ? AND bytes = ?`)
        .run(number, bytes);
      if (changes > 0) this.#setStatus(number, { status: 'indexing_completed' });
    });
  }

  async markPassagesSet(id: string, { size }: { size: number }): Promise<void> {
    this.#connection.write(() => {
      const { number } = this.#row(id);
      this.#connection.prepare(`UPDATE files SET searched = 1, size = ? WHERE number = ?`).run(size, number);
      this.#setStatus(number, { status: 'indexing_completed' });
    });
  }

  async setStatus(id: string, status: { status: FileStatus; reason?: string }): Promise<void> {
    this.#connection.write(() => {
      const number = this.#numberOf(id);
      if (number !== undefined) this.#setStatus(number, status);
    });
  }

  async patch(id: string, { tags, metadata, accessPolicies, expiresAt }: FileChanges): Promise<FileRecord> {
    return this.#connection.write(() => {
      const row = this.#row(id);
      const file = recordOf(row);
      const [newTags, newMetadata] = [patch(file.tags, tags), patch(file.metadata, metadata)];
      // Not for what stays as it is: an earlier version may have stored more.
      const excess =
        (isEmpty(tags) ? undefined : excessOfTags(newTags)) ??
        (isEmpty(metadata) ? undefined : excessOfMetadata(newMetadata));
      if (excess) throw limitError(excess, 'delete some with null');
      this.#connection
        .prepare(`UPDATE files SET metadata = ?, access_policies = ?, expires_at = ?, updated_at = ? WHERE number = ?`)
        .run(
          JSON.stringify(newMetadata),
          JSON.stringify(accessPolicies ?? file.accessPolicies),
          expiresAt === undefined ? row.expiresAt : expiresAt,
          new Date().toISOString(),
          row.number,
        );
      this.#setTags(row.number, newTags);
      updateChecksum(this.#connection, row.number);
      return recordOf(this.#row(id));
    });
  }

  #setStatus(number: number, { status, reason }: { status: FileStatus; reason?: string }): void {
    this.#connection
      .prepare(`UPDATE files SET status = ?, reason = ?, updated_at = ? WHERE number = ?`)
      .run(status, reason ?? null, new Date().toISOString(), number);
    updateChecksum(this.#connection, number);
  }

  #setTags(number: number, tags: Tags): void {
    this.#connection.prepare(`DELETE FROM file_tags WHERE file = ?`).run(number);
    const insert = this.#connection.prepare(`INSERT INTO file_tags (file, key, value) VALUES (?, ?, ?)`);
    for (const [key, value] of Object.entries(tags)) insert.run(number, key, value);
  }

  #numberOf(id: string): number | undefined {
    return this.#connection.cached<[string], number>(`SELECT number FROM files WHERE id = ?`).pluck().get(id);
  }

  #row(id: string): RecordRow {
    const row = this.#connection.cached<[string], RecordRow>(`SELECT ${RECORD} FROM files WHERE files.id = ?`).get(id);
    if (row) return row;
    throw new WaymarkError(
      'FILE_MISSING',
      `The file with the id ${id} was deleted meanwhile: upload it again if you still need it.`,
    );
  }
}

/** An object with changes applied; null removes a member. */
function patch<Value>(
  object: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const entries = Object.entries({ ...object, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
