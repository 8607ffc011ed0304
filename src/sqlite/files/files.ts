import { ulid } from 'ulid';
import type { FileSummary } from '../../domain/passage.js';
import type { FileToPut, FileTouch, StoreCounts, StoredFile } from '../../storage/passage-store.js';
import { updateChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';

/** The columns of a `SummaryRow`. */
export const SUMMARY = `
  files.id AS fileId, files.key, files.content_type AS contentType, files.metadata,
  files.created_at AS createdAt, files.updated_at AS updatedAt,
  (SELECT json_group_object(file_tags.key, value) FROM file_tags WHERE file = files.number) AS tags`;

export interface SummaryRow {
  readonly fileId: string;
  readonly key: string;
  readonly contentType: string;
  readonly metadata: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tags: string;
}

export function summaryOf(row: SummaryRow): FileSummary {
  return {
    id: row.fileId,
    key: row.key,
    contentType: row.contentType,
    metadata: JSON.parse(row.metadata),
    tags: JSON.parse(row.tags),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const STORED = `id, key, folder, size, mtime, hash, pipeline, indexed_at AS indexedAt`;

/** The files of one bot, their texts and tags. */
export class Files {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  /** In the order of their keys. */
  list(): StoredFile[] {
    return this.#connection
      .prepare<[number], StoredFile>(`SELECT ${STORED} FROM files WHERE bot = ? ORDER BY key`)
      .all(this.#bot);
  }

  find(key: string): StoredFile | undefined {
    return this.#connection
      .prepare<[number, string], StoredFile>(`SELECT ${STORED} FROM files WHERE bot = ? AND key = ?`)
      .get(this.#bot, key);
  }

  /** The row number of a file. */
  numberOf(key: string): number | undefined {
    return this.#connection
      .prepare<[number, string], number>(`SELECT number FROM files WHERE bot = ? AND key = ?`)
      .pluck()
      .get(this.#bot, key);
  }

  /** Inserts or updates a file's row, text and tags. */
  put(file: FileToPut): { number: number; id: string } {
    const now = new Date().toISOString();
    const row = this.#connection
      .prepare(
        `INSERT INTO files (id, bot, key, folder, size, mtime, hash, pipeline, content_type, title, metadata, warnings,
                            created_at, updated_at, indexed_at)
         VALUES (@id, @bot, @key, @folder, @size, @mtime, @hash, @pipeline, @contentType, @title, @metadata, @warnings,
                 @now, @now, @indexedAt)
         ON CONFLICT (bot, key) DO UPDATE SET
           folder = excluded.folder, size = excluded.size, mtime = excluded.mtime, hash = excluded.hash,
           pipeline = excluded.pipeline, content_type = excluded.content_type, title = excluded.title,
           metadata = excluded.metadata, warnings = excluded.warnings, updated_at = excluded.updated_at,
           indexed_at = excluded.indexed_at
         RETURNING number, id`,
      )
      .get({
        ...file,
        id: `file_${ulid()}`,
        bot: this.#bot,
        title: file.title ?? null,
        metadata: JSON.stringify(file.metadata),
        warnings: JSON.stringify(file.warnings),
        now,
      }) as { number: number; id: string };
    const { number } = row;
    this.#connection
      .prepare(`INSERT INTO texts (file, text) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET text = excluded.text`)
      .run(number, file.text);
    this.#connection.prepare(`DELETE FROM file_tags WHERE file = ?`).run(number);
    const tag = this.#connection.prepare(`INSERT INTO file_tags (file, key, value) VALUES (?, ?, ?)`);
    for (const [key, value] of Object.entries(file.tags)) tag.run(number, key, value);
    updateChecksum(this.#connection, number);
    return row;
  }

  touch(id: string, file: FileTouch): void {
    const number = this.#connection
      .prepare<unknown[], number>(
        `UPDATE files SET key = @key, folder = @folder, size = @size, mtime = @mtime, indexed_at = @indexedAt
         WHERE id = @id AND bot = @bot RETURNING number`,
      )
      .pluck()
      .get({
        key: file.key,
        folder: file.folder,
        size: file.size,
        mtime: file.mtime,
        indexedAt: file.indexedAt,
        id,
        bot: this.#bot,
      });
    if (number !== undefined) updateChecksum(this.#connection, number);
  }

  remove(number: number): void {
    this.#connection.prepare(`DELETE FROM files WHERE number = ?`).run(number);
  }

  counts(): Pick<StoreCounts, 'files' | 'folders' | 'warnings'> {
    const folders = this.#connection
      .prepare<[number], { folder: string | null; files: number }>(
        `SELECT folder, count(*) AS files FROM files WHERE bot = ? GROUP BY folder ORDER BY folder`,
      )
      .all(this.#bot);
    const warnings = this.#connection
      .prepare<[number], { key: string; reason: string }>(
        `SELECT files.key, json_each.value AS reason FROM files, json_each(warnings) WHERE bot = ? ORDER BY files.key`,
      )
      .all(this.#bot);
    return { files: folders.reduce((sum, { files }) => sum + files, 0), folders, warnings };
  }
}
