import { ulid } from 'ulid';
import type { File, FileStatus, ListFilesRequest } from '../../contract/operations.js';
import type { Metadata, Tags } from '../../domain/passage.js';
import type { TagFilter } from '../../storage/passage-store.js';
import { damagedPart, sealFile } from '../connection/checksums.js';
import { crc32 } from '../connection/crc32.js';
import type { Database } from '../connection/database.js';
import { type PageOptions, pageOf } from '../connection/page.js';
import { prepared } from '../connection/prepared.js';
import { SUMMARY, type SummaryRow, summaryOf } from './files.js';
import { tagCondition } from './tag-filter.js';
import { isText } from './texts.js';

/** A file as file operations know it, whether it is indexed or not. */
export interface FileRecord extends Omit<File, 'botId' | 'url' | 'owner'> {
  readonly number: number;
}

interface Row extends SummaryRow {
  readonly number: number;
  readonly size: number | null;
  readonly accessPolicies: string;
  readonly index: 0 | 1;
  readonly status: FileStatus;
  readonly reason: string | null;
  readonly expiresAt: string | null;
}

const RECORD = `files.number, ${SUMMARY}, CASE WHEN status = 'upload_pending' THEN NULL ELSE size END AS size,
  access_policies AS accessPolicies, searched AS "index", status, reason, expires_at AS expiresAt`;

const SORTS = {
  key: 'files.key',
  size: 'files.size',
  createdAt: 'files.created_at',
  updatedAt: 'files.updated_at',
  status: 'files.status',
} as const;

/** What a caller says of a file that is to be uploaded. */
export interface FileToUpload {
  readonly key: string;
  readonly size: number;
  readonly contentType: string;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly index: boolean;
  readonly accessPolicies: readonly string[];
  readonly expiresAt: string | undefined;
}

/** The files of one bot as file operations list and change them. */
export class FileRecords {
  readonly #database: Database;
  readonly #bot: number;

  constructor(database: Database, bot: number) {
    this.#database = database;
    this.#bot = bot;
  }

  /** By id, or by key where none has that id. */
  find(idOrKey: string): FileRecord | undefined {
    const row = this.#database
      .prepare<[number, string, string, string], Row>(
        `SELECT ${RECORD} FROM files WHERE bot = ? AND (files.id = ? OR files.key = ?) ORDER BY files.id = ? DESC`,
      )
      .get(this.#bot, idOrKey, idOrKey, idOrKey);
    return row && recordOf(row);
  }

  page(
    filter: { tags: TagFilter; ids: readonly string[] | undefined; indexed: boolean | undefined },
    { sortField, ...options }: PageOptions & { sortField: NonNullable<ListFilesRequest['sortField']> },
  ): { records: FileRecord[]; nextToken?: string } {
    const tags = tagCondition(filter.tags);
    const { rows, ...rest } = pageOf<Row & { sorted: string | number }>(
      this.#database,
      {
        select: RECORD,
        from: `files WHERE bot = ? AND ${tags.sql}
               AND (? IS NULL OR files.id IN (SELECT value FROM json_each(?))) AND searched = coalesce(?, searched)`,
        sort: SORTS[sortField],
        number: 'files.number',
        parameters: [
          this.#bot,
          ...tags.parameters,
          filter.ids ? 1 : null,
          JSON.stringify(filter.ids ?? []),
          filter.indexed === undefined ? null : Number(filter.indexed),
        ],
      },
      options,
    );
    return { records: rows.map(recordOf), ...rest };
  }

  /** Inserts or updates a file that waits for its content; what was indexed of it is found until that has come. */
  expect(file: FileToUpload): FileRecord {
    const put = this.#database.transaction((): number => {
      const now = new Date().toISOString();
      const number = this.#database
        .prepare<unknown[], number>(
          `INSERT INTO files (id, bot, key, size, hash, pipeline, content_type, metadata, warnings, created_at, updated_at,
                              indexed_at, status, searched, access_policies, expires_at)
           VALUES (@id, @bot, @key, @size, '', '', @contentType, @metadata, '[]', @now, @now, 0, 'upload_pending',
                   @index, @accessPolicies, @expiresAt)
           ON CONFLICT (bot, key) DO UPDATE SET
             size = excluded.size, content_type = excluded.content_type, metadata = excluded.metadata,
             updated_at = excluded.updated_at, status = excluded.status, reason = NULL, searched = excluded.searched,
             access_policies = excluded.access_policies, expires_at = excluded.expires_at
           RETURNING number`,
        )
        .pluck()
        .get({
          ...file,
          id: `file_${ulid()}`,
          bot: this.#bot,
          metadata: JSON.stringify(file.metadata),
          index: Number(file.index),
          accessPolicies: JSON.stringify(file.accessPolicies),
          expiresAt: file.expiresAt ?? null,
          now,
        }) as number;
      this.#setTags(number, file.tags);
      sealFile(this.#database, number);
      return number;
    });
    return this.get(put.immediate());
  }

  /** Keeps a file's bytes, and what state it is in with them. */
  receive(number: number, { bytes, status }: { bytes: Uint8Array; status: FileStatus }): void {
    const receive = this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO contents (file, bytes, checksum) VALUES (?, ?, ?)
           ON CONFLICT (file) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum`,
        )
        .run(number, bytes, crc32(bytes));
      this.#database.prepare(`UPDATE files SET size = ? WHERE number = ?`).run(bytes.length, number);
      this.setStatus(number, { status });
    });
    receive.immediate();
  }

  /** A file whose passages a caller set is searched; its content is what was uploaded. */
  passagesSet(number: number, { size }: { size: number }): void {
    const set = this.#database.transaction(() => {
      this.#database.prepare(`UPDATE files SET searched = 1, size = ? WHERE number = ?`).run(size, number);
      this.setStatus(number, { status: 'indexing_completed' });
    });
    set.immediate();
  }

  /** Of a file that is indexed, the text is the content; nothing is done where other bytes have come meanwhile. */
  indexed(number: number, bytes: Uint8Array): void {
    const indexed = this.#database.transaction(() => {
      const { changes } = this.#database
        .prepare(`DELETE FROM contents WHERE file = ? AND bytes = ?`)
        .run(number, bytes);
      if (changes > 0) this.setStatus(number, { status: 'indexing_completed' });
    });
    indexed.immediate();
  }

  /** Bytes that are to be uploaded. */
  expectedSize(number: number): number {
    return this.#database.prepare<[number], number>(`SELECT size FROM files WHERE number = ?`).pluck().get(number) ?? 0;
  }

  setStatus(number: number, { status, reason }: { status: FileStatus; reason?: string }): void {
    const set = this.#database.transaction(() => {
      this.#database
        .prepare(`UPDATE files SET status = ?, reason = ?, updated_at = ? WHERE number = ?`)
        .run(status, reason ?? null, new Date().toISOString(), number);
      sealFile(this.#database, number);
    });
    set.immediate();
  }

  /** Changes what is said of a file, not its content. */
  patch(
    { number }: FileRecord,
    file: Pick<FileRecord, 'tags' | 'metadata' | 'accessPolicies' | 'expiresAt'>,
  ): FileRecord {
    const patch = this.#database.transaction(() => {
      this.#database
        .prepare(`UPDATE files SET metadata = ?, access_policies = ?, expires_at = ?, updated_at = ? WHERE number = ?`)
        .run(
          JSON.stringify(file.metadata),
          JSON.stringify(file.accessPolicies),
          file.expiresAt ?? null,
          new Date().toISOString(),
          number,
        );
      this.#setTags(number, file.tags);
      sealFile(this.#database, number);
    });
    patch.immediate();
    return this.get(number);
  }

  /**
   * The bytes as they were uploaded; of a file that was indexed otherwise, its text. Throws `DATABASE_DAMAGED` for bytes
   * that are not as they were written.
   */
  content(number: number): Uint8Array | undefined {
    const content = this.#database
      .prepare<[number], { bytes: Buffer; checksum: number | null }>(
        `SELECT bytes, checksum FROM contents WHERE file = ?`,
      )
      .get(number);
    if (content) {
      if (content.checksum === null || content.checksum === crc32(content.bytes)) return content.bytes;
      throw damagedPart(`The content of ${this.get(number).key}`);
    }
    const file = this.#database
      .prepare<[number], { text: string; hash: string }>(
        `SELECT text, hash FROM files JOIN texts ON file = number WHERE number = ?`,
      )
      .get(number);
    if (!file) return undefined;
    if (isText(file.text, file.hash)) return Buffer.from(file.text);
    throw damagedPart(`The text of ${this.get(number).key}`);
  }

  /** Those in a state, oldest change first. */
  inState(status: FileStatus): FileRecord[] {
    return this.#database
      .prepare<[number, FileStatus], Row>(
        `SELECT ${RECORD} FROM files WHERE bot = ? AND status = ? ORDER BY files.updated_at, files.number`,
      )
      .all(this.#bot, status)
      .map(recordOf);
  }

  /** Keys of the files whose time is over. */
  expired(): string[] {
    return prepared<[number, string], string>(
      this.#database,
      // Of texts in other zones than UTC the order is not that of the times.
      `SELECT key FROM files WHERE bot = ? AND expires_at IS NOT NULL AND julianday(expires_at) <= julianday(?)`,
    )
      .pluck()
      .all(this.#bot, new Date().toISOString());
  }

  /** Names of tags, or with one its values: those behind `after`, in order. */
  tags({ tag, after, limit }: { tag?: string; after: string; limit: number }): string[] {
    const column = tag === undefined ? 'file_tags.key' : 'value';
    return this.#database
      .prepare<unknown[], string>(
        `SELECT DISTINCT ${column} AS name FROM file_tags JOIN files ON files.number = file
         WHERE bot = ? AND file_tags.key = coalesce(?, file_tags.key) AND name > ? ORDER BY name LIMIT ?`,
      )
      .pluck()
      .all(this.#bot, tag ?? null, after, limit);
  }

  get(number: number): FileRecord {
    const row = this.#database.prepare<[number], Row>(`SELECT ${RECORD} FROM files WHERE number = ?`).get(number);
    if (!row) throw new RangeError('the file is gone');
    return recordOf(row);
  }

  #setTags(number: number, tags: Tags): void {
    this.#database.prepare(`DELETE FROM file_tags WHERE file = ?`).run(number);
    const insert = this.#database.prepare(`INSERT INTO file_tags (file, key, value) VALUES (?, ?, ?)`);
    for (const [key, value] of Object.entries(tags)) insert.run(number, key, value);
  }
}

function recordOf(row: Row): FileRecord {
  return {
    ...summaryOf(row),
    number: row.number,
    size: row.size,
    accessPolicies: JSON.parse(row.accessPolicies),
    index: row.index === 1,
    status: row.status,
    ...(row.reason !== null && { failedStatusReason: row.reason }),
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt }),
  };
}
