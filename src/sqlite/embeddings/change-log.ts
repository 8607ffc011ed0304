import type { Connection } from '../connection/connection.js';
import type { Statement } from '../connection/statement.js';
import { decodeVector, type StoredVector } from './stored-vector.js';

/** A passage that got or lost its embedding. */
export interface Change {
  readonly sequence: number;
  readonly passage: number;
  /** Undefined if the embedding is gone. */
  readonly embedding: Float32Array | undefined;
}

/** The embedding of a passage. */
export interface NumberedEmbedding {
  /** The passage's number. */
  readonly passage: number;
  readonly embedding: Float32Array;
}

/** Number of changes that are kept, so that vector indexes in other processes can catch up. */
const KEPT = 10_000;

/** Embeddings read at a time, about: two milliseconds. */
const PAGE = 500;

/** Changes deleted in one transaction. */
const TRIMMED_AT_ONCE = 2000;

/** Embedded passages: JSON of their numbers, hashes, checksums and sizes, and all vectors in the same order. */
interface EmbeddedRow {
  readonly rows: string;
  readonly vectors: Buffer | null;
}

/** Selects the passages at a range of positions, of some files of a bot; `files` is a JSON array of row numbers. */
type EmbeddedRows = Statement<[files: string, bot: number, from: number, to: number], EmbeddedRow>;

/** The source of the vector indexes in memory: a bot's embedded passages, and the log of later changes. */
export class ChangeLog {
  readonly #connection: Connection;
  readonly #bot: number;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
  }

  /** Identifies the present contents of the database: while it stays the same, nothing has changed. */
  version(): string {
    return this.#connection.version();
  }

  /** The sequence number of the last change; 0 before the first. */
  sequence(): number {
    return this.#connection
      .prepare<[number], number>(`SELECT coalesce(max(sequence), 0) FROM changes WHERE bot = ?`)
      .pluck()
      .get(this.#bot) as number;
  }

  /** The first changes after a sequence number; undefined if the log no longer has that number. */
  since(sequence: number, { limit }: { readonly limit: number }): Change[] | undefined {
    // On one snapshot: another process may trim the log.
    return this.#connection.read(() => {
      const known = this.#connection
        .cached<[number, number]>(`SELECT 1 FROM changes WHERE bot = ? AND sequence = ?`)
        .get(this.#bot, sequence);
      return known ? this.#read(sequence, limit) : undefined;
    });
  }

  /** All embedded passages, in pages: of several small files together, or of a part of a large file. */
  *embedded(): Generator<NumberedEmbedding[]> {
    const files = this.#connection
      .prepare<[number], { number: number; last: number | null }>(
        `SELECT number, (SELECT max(position) FROM passages WHERE file = files.number) AS last
         FROM files WHERE bot = ?`,
      )
      .all(this.#bot);
    // One row for many passages with their vectors concatenated: one row and buffer per passage would take the driver
    // twice as long.
    const select: EmbeddedRows = this.#connection.prepare(
      `SELECT json_group_array(json_array(passages.number, embeddings.hash, embeddings.checksum, octet_length(vector)))
           AS rows,
         CAST(group_concat(vector, '') AS BLOB) AS vectors
       FROM json_each(?) AS listed CROSS JOIN files ON files.number = listed.value AND bot = ?
       CROSS JOIN passages ON file = files.number CROSS JOIN embeddings ON embeddings.number = embedding
       WHERE position BETWEEN ? AND ? AND vector IS NOT NULL`,
    );
    let together: number[] = [];
    let count = 0;
    for (const { number, last } of files) {
      if (last === null) continue;
      if (last >= PAGE) {
        yield* this.#inPages(number, select);
      } else {
        together.push(number);
        count += last + 1;
      }
      if (count >= PAGE) {
        yield this.#ofFiles(together, select);
        together = [];
        count = 0;
      }
    }
    if (together.length > 0) yield this.#ofFiles(together, select);
  }

  /** Deletes some old changes. Returns whether there are more. Needs a transaction. */
  trim(): boolean {
    const { changes } = this.#connection
      .prepare(
        `DELETE FROM changes WHERE sequence IN (
           SELECT sequence FROM changes
           WHERE bot = ? AND sequence <= (SELECT max(sequence) FROM changes WHERE bot = ?) - ?
           ORDER BY sequence LIMIT ?)`,
      )
      .run(this.#bot, this.#bot, KEPT, TRIMMED_AT_ONCE);
    return changes === TRIMMED_AT_ONCE;
  }

  /**
   * All embeddings of some files, which may have changed since they were listed. The bot is checked because a row
   * number may belong to a new file by now.
   */
  #ofFiles(files: readonly number[], select: EmbeddedRows): NumberedEmbedding[] {
    return this.#decode(select.get(JSON.stringify(files), this.#bot, 0, Number.MAX_SAFE_INTEGER));
  }

  *#inPages(file: number, select: EmbeddedRows): Generator<NumberedEmbedding[]> {
    const state = this.#connection.cached<[number], { version: number; last: number | null }>(
      `SELECT version, (SELECT max(position) FROM passages WHERE file = files.number) AS last
       FROM files WHERE number = ?`,
    );
    let known: number | undefined;
    for (let from = 0; ; from += PAGE) {
      const { row, last } = this.#connection.read(() => {
        const { version, last } = state.get(file) ?? {};
        // The file has changed since the last page. The change log does not contain passages that only moved within the
        // file: read all again.
        if (known !== undefined && version !== known) from = 0;
        known = version;
        return { last, row: select.get(JSON.stringify([file]), this.#bot, from, from + PAGE - 1) };
      });
      yield this.#decode(row);
      if (from + PAGE > (last ?? 0)) return;
    }
  }

  #decode(row: EmbeddedRow | undefined): NumberedEmbedding[] {
    const vectors = row?.vectors ?? Buffer.alloc(0);
    let end = 0;
    return (JSON.parse(row?.rows ?? '[]') as [number, string, number | null, number][]).map(
      ([passage, hash, checksum, bytes]) => {
        const vector = vectors.subarray(end, end + bytes);
        end += bytes;
        return { passage, embedding: decodeVector(this.#connection, { passage, hash, vector, checksum }) };
      },
    );
  }

  #read(sequence: number, limit: number): Change[] {
    return this.#connection
      .cached<[number, number, number], Partial<StoredVector> & { sequence: number; passage: number }>(
        `SELECT sequence, passage, CASE embedded WHEN 1 THEN vector END AS vector, hash, embeddings.checksum
         FROM changes
         LEFT JOIN passages ON passages.number = passage LEFT JOIN embeddings ON embeddings.number = embedding
         WHERE bot = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      )
      .all(this.#bot, sequence, limit)
      .map((row) => ({
        sequence: row.sequence,
        passage: row.passage,
        embedding: hasVector(row) ? decodeVector(this.#connection, row) : undefined,
      }));
  }
}

function hasVector<Row extends Partial<StoredVector>>(row: Row): row is Row & StoredVector {
  return row.vector !== null && row.vector !== undefined;
}
