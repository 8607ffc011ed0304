import { damagedPart } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { assertFileIntact } from '../files/seal-file.js';
import { isPartIntact, partAt, storedParts, type TextPart, wholeText } from './text-parts.js';

/** Maximum number of characters that are cached. A part of an earlier version may have more, and is cached alone. */
const CACHE_LIMIT = 4_000_000;

/** A file with those parts of its text that were read. */
interface CachedFile {
  readonly key: string;
  readonly hash: string;
  readonly parts: TextPart[];
}

/**
 * The texts of files. Parts that were read are cached until the database changes. All methods throw `DATABASE_DAMAGED`
 * for a text, or a file's row, that is not as it was written.
 */
export class FileTexts {
  readonly #connection: Connection;
  readonly #files = new Map<number, CachedFile>();
  #cached = 0;
  #version = '';

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Drops cached parts if the database has changed. Call it once in each transaction, before the first `slice`, which
   * takes less time than this check.
   */
  refresh(): void {
    const version = this.#connection.version();
    if (version !== this.#version) this.#clear();
    this.#version = version;
  }

  /** The text of a file from `start` to before `end`, in UTF-16 code units. Reads only the parts that contain it. */
  slice(number: number, start: number, end: number): string {
    const pieces: string[] = [];
    for (let at = start; at < end; ) {
      const part = this.#part(number, at);
      pieces.push(part.text.slice(at - part.start, end - part.start));
      at = part.start + part.text.length;
    }
    return pieces.join('');
  }

  /** The whole text of a file. */
  whole(number: number): string {
    const { key, hash } = this.#checked(number);
    const text = wholeText(storedParts(this.#connection, number), hash);
    if (typeof text !== 'string') throw damagedPart(`The text of ${key}`);
    return text;
  }

  #clear(): void {
    this.#files.clear();
    this.#cached = 0;
  }

  #part(number: number, at: number): TextPart {
    const file = this.#files.get(number) ?? this.#checked(number);
    const known = file.parts.find((part) => has(part, at));
    if (known) return known;
    const part = partAt(this.#connection, number, at);
    if (!part || !isPartIntact(part, file.hash) || !has(part, at)) throw damagedPart(`The text of ${file.key}`);
    if (this.#cached + part.text.length > CACHE_LIMIT) {
      this.#clear();
      file.parts.length = 0;
    }
    file.parts.push(part);
    this.#files.set(number, file);
    this.#cached += part.text.length;
    return part;
  }

  #checked(number: number): CachedFile {
    const row = this.#connection
      .cached<[number], { key: string; hash: string; checksum: number | null }>(
        `SELECT key, hash, checksum FROM files WHERE number = ?`,
      )
      .get(number);
    if (!row) throw damagedPart(`The file number ${number}`);
    assertFileIntact(this.#connection, { ...row, number });
    return { key: row.key, hash: row.hash, parts: [] };
  }
}

function has({ start, text }: TextPart, at: number): boolean {
  return at >= start && at < start + text.length;
}
