import { createHash } from 'node:crypto';
import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { fileChecksum } from './seal-file.js';

/** Maximum number of characters that are cached of several files. One file may have more, and is cached alone. */
const CACHE_LIMIT = 4_000_000;

/** The texts of files, cached until the database changes. */
export class FileTexts {
  readonly #connection: Connection;
  readonly #texts = new Map<number, string>();
  #cached = 0;
  #version = '';

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The text of a file; empty if the file is gone. Throws `DATABASE_DAMAGED` for a text, or a file's row, that is not
   * as it was written.
   */
  of(file: number): string {
    const version = this.#connection.version();
    if (version !== this.#version) this.#clear();
    this.#version = version;
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = this.#read(file);
    if (this.#cached + text.length > CACHE_LIMIT) this.#clear();
    this.#texts.set(file, text);
    this.#cached += text.length;
    return text;
  }

  #clear(): void {
    this.#texts.clear();
    this.#cached = 0;
  }

  #read(file: number): string {
    const sql = `SELECT key, hash, checksum, text FROM files LEFT JOIN texts ON file = number WHERE number = ?`;
    const row = this.#connection
      .cached<[number], { key: string; hash: string; checksum: number | null; text: string | null }>(sql)
      .get(file);
    if (!row) return '';
    if (row.checksum !== null && row.checksum !== fileChecksum(this.#connection, file)) {
      throw damagedPart(`The row of the file ${row.key}`);
    }
    // One damaged bit can turn a text into a blob.
    if (typeof row.text !== 'string' || !hasHash(row.text, row.hash)) throw damagedPart(`The text of ${row.key}`);
    return row.text;
  }
}

/** Whether the SHA-256 of a text is `hash`. */
export function hasHash(text: string, hash: string): boolean {
  return createHash('sha256').update(text).digest('hex') === hash;
}
