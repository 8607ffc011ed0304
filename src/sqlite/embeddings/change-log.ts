import type { Connection } from '../connection/connection.js';
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

/** Changes kept after a run, so that vector indexes in other processes can catch up. */
const KEPT = 10_000;

/** Embeddings of a file that are read in one go. */
const AT_ONCE = 500;

/** Changes deleted in one transaction. */
const TRIMMED_AT_ONCE = 2000;

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

  /** The first changes after a sequence number; undefined if the log does not reach back so far. */
  since(sequence: number, { limit }: { readonly limit: number }): Change[] | undefined {
    // On one snapshot: another process may trim the log.
    return this.#connection.read(() => {
      const known = this.#connection
        .cached<[number, number]>(`SELECT 1 FROM changes WHERE bot = ? AND sequence = ?`)
        .get(this.#bot, sequence);
      return known ? this.#read(sequence, limit) : undefined;
    });
  }

  /** All embedded passages, those of one file at a time; those of a large file, some at a time. */
  *embedded(): Generator<NumberedEmbedding[]> {
    const files = this.#connection
      .prepare<[number], number>(`SELECT number FROM files WHERE bot = ?`)
      .pluck()
      .all(this.#bot);
    for (const file of files) yield* this.#embeddedOf(file);
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

  *#embeddedOf(file: number): Generator<NumberedEmbedding[]> {
    // One row for all with their vectors concatenated: one row and buffer per passage would take the driver twice as
    // long.
    const select = this.#connection
      .cached<[object], [string, Buffer | null, number, number | null]>(
        `SELECT json_group_array(json_array(number, hash, checksum, octet_length(vector))),
           CAST(group_concat(vector, '') AS BLOB), max(position), (SELECT version FROM files WHERE number = @file)
         FROM (SELECT passages.number, position, hash, embeddings.checksum, vector
               FROM passages JOIN embeddings ON embeddings.number = embedding
               WHERE file = @file AND position > @last AND vector IS NOT NULL ORDER BY position LIMIT @limit)`,
      )
      .raw();
    let last = -1;
    let known: number | null | undefined;
    for (let isComplete = false; !isComplete; ) {
      const row = select.get({ file, last, limit: AT_ONCE });
      const [rows, vectors, position, version] = row ?? ['[]', null, last, null];
      const numbered = JSON.parse(rows) as [number, string, number | null, number][];
      let end = 0;
      yield numbered.map(([passage, hash, checksum, bytes]) => {
        const vector = (vectors ?? Buffer.alloc(0)).subarray(end, end + bytes);
        end += bytes;
        return { passage, embedding: decodeVector(this.#connection, { passage, hash, vector, checksum }) };
      });
      // A passage that has moved meanwhile is in no log: all are read again.
      const isSame = known === undefined || version === known;
      isComplete = isSame && numbered.length < AT_ONCE;
      last = isSame ? position : -1;
      known = isSame ? version : undefined;
    }
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
