import { createHash } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type { PendingText } from '../../storage/passage-store.js';
import { damagedPart, embeddingChecksum } from '../connection/checksums.js';
import type { Database, Statement } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { stateOf } from '../connection/state.js';

/** A passage whose embedding came or went since a vector index last looked. */
export interface Change {
  readonly sequence: number;
  readonly passage: number;
  /** Its embedding; undefined where it is gone. */
  readonly embedding: Float32Array | undefined;
}

interface StoredVector {
  readonly passage: number;
  readonly hash: string;
  readonly vector: Buffer;
  readonly checksum: number | null;
}

function isVector<Row extends Partial<StoredVector>>(row: Row): row is Row & StoredVector {
  return row.vector !== null && row.vector !== undefined;
}

/** How many changes are kept for vector indexes in other processes to catch up by, when a run has settled. */
const CHANGES_KEPT = 10_000;

/** Unused embeddings that are removed in one transaction. */
const REMOVED_AT_ONCE = 500;

/** The embeddings of one bot's model, each stored once whatever passages have its text, and the log of what changed. */
export class Embeddings {
  readonly #database: Database;
  readonly #bot: number;
  readonly #model: { readonly number: number; readonly fingerprint: string };
  readonly #find: Statement<[string], { number: number; embedded: 0 | 1 }>;
  readonly #insert: Statement<[string, number, string]>;
  readonly #log: Statement<[number, number, number]>;
  readonly #remove: Statement<[number]>;
  readonly #unused: Statement<[number], { embedded: 0 | 1 }>;
  readonly #release: Statement<[number]>;

  constructor(database: Database, { bot, model }: { bot: number; model: { number: number; fingerprint: string } }) {
    this.#database = database;
    this.#bot = bot;
    this.#model = model;
    const isUnused = `NOT EXISTS (SELECT 1 FROM passages WHERE embedding = embeddings.number)
      AND NOT EXISTS (SELECT 1 FROM staged_passages WHERE embedding = embeddings.number)`;
    // Prepared once: they run for every passage.
    this.#find = database.prepare(`SELECT number, vector IS NOT NULL AS embedded FROM embeddings WHERE hash = ?`);
    this.#insert = database.prepare(`INSERT INTO embeddings (hash, model, text) VALUES (?, ?, ?)`);
    this.#log = database.prepare(`INSERT INTO changes (bot, passage, embedded) VALUES (?, ?, ?)`);
    this.#remove = database.prepare(`DELETE FROM embeddings WHERE number = ? AND ${isUnused}`);
    this.#unused = database.prepare(
      `SELECT vector IS NOT NULL AS embedded FROM embeddings WHERE number = ? AND ${isUnused}`,
    );
    // Not out of a SELECT: SQLite would keep a journal for each.
    this.#release = database.prepare(`INSERT INTO unused VALUES (?) ON CONFLICT DO NOTHING`);
  }

  /**
   * Another process may embed the bot's files anew. After a read this tells that what was read is this model's, in a
   * transaction that what is written will be. Throws `MODEL_MISMATCH`, `BOT_MISSING`.
   */
  checkModel(): void {
    const row = prepared<[number], { model: number | null }>(
      this.#database,
      `SELECT model FROM bots WHERE number = ?`,
    ).get(this.#bot);
    if (row?.model !== this.#model.number) throw gone(this.#database, { bot: this.#bot, model: this.#model.number });
  }

  /** The row of a text's embedding, made pending where there is none. */
  numberOf(text: string): { number: number; embedded: boolean } {
    const hash = createHash('sha256').update(this.#model.fingerprint).update('\0').update(text).digest('hex');
    const found = this.#find.get(hash);
    if (found) return { number: found.number, embedded: found.embedded === 1 };
    return { number: Number(this.#insert.run(hash, this.#model.number, text).lastInsertRowid), embedded: false };
  }

  /** Texts without an embedding, in order, from behind number `after`; of one file where its key is given. */
  pending({ after, limit, key }: { after: number; limit: number; key?: string | undefined }): PendingText[] {
    const ofFile = `AND number IN (SELECT embedding FROM passages JOIN files ON files.number = file WHERE bot = ? AND key = ?)`;
    return this.#database
      .prepare<unknown[], PendingText>(
        `SELECT number AS id, text FROM embeddings WHERE vector IS NULL AND model = ? AND number > ?
         ${key === undefined ? '' : ofFile} ORDER BY number LIMIT ?`,
      )
      .all(this.#model.number, after, ...(key === undefined ? [] : [this.#bot, key]), limit);
  }

  countPending(): number {
    return this.#database
      .prepare<[number], number>(`SELECT count(*) FROM embeddings WHERE vector IS NULL AND model = ?`)
      .pluck()
      .get(this.#model.number) as number;
  }

  put(embeddings: readonly { readonly id: number; readonly embedding: Float32Array }[]): void {
    const hashOf = this.#database
      .prepare<[number], string>(`SELECT hash FROM embeddings WHERE number = ? AND vector IS NULL`)
      .pluck();
    const update = this.#database.prepare(
      `UPDATE embeddings SET vector = ?, checksum = ?, text = NULL WHERE number = ?`,
    );
    const log = this.#database.prepare(
      `INSERT INTO changes (bot, passage, embedded)
       SELECT bot, passages.number, 1 FROM passages JOIN files ON files.number = file WHERE embedding = ?`,
    );
    for (const { id, embedding } of embeddings) {
      const hash = hashOf.get(id);
      // Another process has put it meanwhile, or nothing needs it any more.
      if (hash === undefined) continue;
      const bytes = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
      update.run(bytes, embeddingChecksum(hash, bytes), id);
      log.run(id);
    }
  }

  /** Notes that a passage got or lost its embedding. */
  changed(passage: number, embedded: boolean): void {
    this.#log.run(this.#bot, passage, embedded ? 1 : 0);
  }

  /** Removes an embedding unless a passage has it. */
  remove(number: number): void {
    this.#remove.run(number);
  }

  /** The same, but one that took the model's work is kept until `removeUnused`. */
  release(number: number): void {
    const unused = this.#unused.get(number);
    if (unused?.embedded === 1) this.#release.run(number);
    else if (unused) this.#remove.run(number);
  }

  /** Removes what was released and that no passage has taken up again, some at a time; whether there is more. */
  removeUnused(): boolean {
    const released = this.#database
      .prepare<[number], number>(`SELECT embedding FROM unused LIMIT ?`)
      .pluck()
      .all(REMOVED_AT_ONCE);
    const forget = this.#database.prepare(`DELETE FROM unused WHERE embedding = ?`);
    for (const number of released) {
      this.#remove.run(number);
      forget.run(number);
    }
    return released.length === REMOVED_AT_ONCE;
  }

  /** Names what is stored now: where it is the same as before, there are no changes since. */
  state(): string {
    return stateOf(this.#database);
  }

  /** Sequence number of the bot's last change, 0 before the first. */
  sequence(): number {
    return this.#database
      .prepare<[number], number>(`SELECT coalesce(max(sequence), 0) FROM changes WHERE bot = ?`)
      .pluck()
      .get(this.#bot) as number;
  }

  /** The first changes since a sequence number, in order; undefined where the log does not reach back so far. */
  changesSince(sequence: number, { limit }: { limit: number }): Change[] | undefined {
    // In one transaction: another process may shorten the log.
    return this.#database.transaction(() => this.#changesSince(sequence, limit))();
  }

  #changesSince(sequence: number, limit: number): Change[] | undefined {
    const known = prepared<[number, number], 1>(
      this.#database,
      `SELECT 1 FROM changes WHERE bot = ? AND sequence = ?`,
    ).get(this.#bot, sequence);
    if (!known) return undefined;
    const rows = prepared<[number, number, number], Partial<StoredVector> & { sequence: number; passage: number }>(
      this.#database,
      `SELECT sequence, passage, CASE embedded WHEN 1 THEN vector END AS vector, hash, embeddings.checksum FROM changes
       LEFT JOIN passages ON passages.number = passage LEFT JOIN embeddings ON embeddings.number = embedding
       WHERE bot = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    ).all(this.#bot, sequence, limit);
    return rows.map((row) => ({
      sequence: row.sequence,
      passage: row.passage,
      embedding: isVector(row) ? this.#verified(row) : undefined,
    }));
  }

  /** Embedded passages of the bot, a file's at a time. */
  *embedded(): Generator<{ passage: number; embedding: Float32Array }[]> {
    const files = this.#database
      .prepare<[number], number>(`SELECT number FROM files WHERE bot = ?`)
      .pluck()
      .all(this.#bot);
    // A row a file, its vectors joined: the driver takes more than twice as long for a row and a buffer each.
    const select = this.#database
      .prepare<[number], [string, Buffer | null]>(
        `SELECT json_group_array(json_array(passages.number, hash, embeddings.checksum, octet_length(vector))),
           CAST(group_concat(vector, '') AS BLOB)
         FROM passages JOIN embeddings ON embeddings.number = embedding WHERE file = ? AND vector IS NOT NULL`,
      )
      .raw();
    for (const file of files) {
      const [rows, vectors] = select.get(file) ?? ['[]', null];
      let end = 0;
      yield (JSON.parse(rows) as [number, string, number | null, number][]).map(([passage, hash, checksum, bytes]) => {
        const vector = (vectors ?? Buffer.alloc(0)).subarray(end, end + bytes);
        end += bytes;
        return { passage, embedding: this.#verified({ passage, hash, vector, checksum }) };
      });
    }
  }

  /** Throws `DATABASE_DAMAGED` for a vector that is not as it was written. */
  #verified({ passage, hash, vector, checksum }: StoredVector): Float32Array {
    if (checksum === null || checksum === embeddingChecksum(hash, vector)) return float32(vector);
    const place = this.#database
      .prepare<[number], { key: string; position: number }>(
        `SELECT key, position FROM passages JOIN files ON files.number = file WHERE passages.number = ?`,
      )
      .get(passage);
    throw damagedPart(`The embedding of passage ${place?.position} of ${place?.key}`);
  }

  /** Shortens the log, so that it does not grow for ever. */
  trimChanges(): void {
    this.#database
      .prepare(
        `DELETE FROM changes WHERE bot = ? AND sequence <= (SELECT max(sequence) FROM changes WHERE bot = ?) - ?`,
      )
      .run(this.#bot, this.#bot, CHANGES_KEPT);
  }
}

/** Why a bot's files are not what whoever opened them takes them for. */
function gone(database: Database, { bot, model }: { bot: number; model: number }): WaymarkError {
  const names = database.prepare<[number, number], { bot: string; now: string; before: string }>(
    `SELECT bots.name AS bot, now.name AS now, before.name AS before FROM bots
     JOIN models AS now ON now.number = bots.model JOIN models AS before ON before.number = ? WHERE bots.number = ?`,
  );
  const row = names.get(model, bot);
  if (!row) return new WaymarkError('BOT_MISSING', 'The bot was deleted meanwhile: open another one.');
  return new WaymarkError(
    'MODEL_MISMATCH',
    `The files of bot "${row.bot}" are embedded with ${row.now} now, no longer with the ${row.before} that this was opened with: open it again.`,
  );
}

/** Copied only where the driver's bytes do not lie on a border of four; of a damaged one the odd bytes are left out. */
function float32(bytes: Buffer): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  // Then it is too short, which whoever takes it sees.
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}
