import type { WaymarkError } from '../../domain/errors.js';
import { deletedBot, replacedModel } from '../../storage/failures.js';
import type { PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import { damagedPart, embeddingChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { embeddingHash, vectorOf } from './stored-vector.js';

/** Unused embeddings deleted in one transaction. */
const DELETED_AT_ONCE = 500;

const IS_UNUSED = `NOT EXISTS (SELECT 1 FROM passages WHERE embedding = embeddings.number)
  AND NOT EXISTS (SELECT 1 FROM staged_passages WHERE embedding = embeddings.number)`;

/** The columns of a `PendingRow`. */
export const PENDING_ROW = 'number AS id, hash, text';

/** A text that waits to be embedded, as it is stored. */
export interface PendingRow {
  readonly id: number;
  readonly hash: string;
  /** Of another type if it is damaged. */
  readonly text: unknown;
}

/**
 * The embeddings of one bot's model. Each is stored once, however many passages have its text. Writes need a
 * transaction.
 */
export class Embeddings {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #model: { readonly number: number; readonly fingerprint: string };

  constructor(
    connection: Connection,
    { bot, model }: { bot: number; model: { readonly number: number; readonly fingerprint: string } },
  ) {
    this.#connection = connection;
    this.#bot = bot;
    this.#model = model;
  }

  /**
   * Checks that the bot's files are embedded with this model: another process may re-embed them at any time. Call it in
   * the transaction that reads or writes. Throws `MODEL_MISMATCH`, `BOT_MISSING`.
   */
  checkModel(): void {
    const sql = `SELECT model FROM bots WHERE number = ?`;
    const row = this.#connection.cached<[number], { model: number | null }>(sql).get(this.#bot);
    if (row?.model !== this.#model.number) throw this.#modelChanged();
  }

  /** The row of a text's embedding, inserted as pending if there is none. */
  ensure(text: string): { number: number; embedded: boolean } {
    const hash = embeddingHash(this.#model.fingerprint, text);
    const found = this.#connection
      .cached<[string], { number: number; embedded: 0 | 1 }>(
        `SELECT number, vector IS NOT NULL AS embedded FROM embeddings WHERE hash = ?`,
      )
      .get(hash);
    if (found) return { number: found.number, embedded: found.embedded === 1 };
    const { lastInsertRowid } = this.#connection
      .cached<[string, number, string]>(`INSERT INTO embeddings (hash, model, text) VALUES (?, ?, ?)`)
      .run(hash, this.#model.number, text);
    return { number: Number(lastInsertRowid), embedded: false };
  }

  /** Whether the embedding of a text is stored. */
  has(text: string): boolean {
    const sql = `SELECT 1 FROM embeddings WHERE hash = ? AND vector IS NOT NULL`;
    return this.#connection.cached<[string]>(sql).get(embeddingHash(this.#model.fingerprint, text)) !== undefined;
  }

  /** The stored embeddings of some texts. Throws `DATABASE_DAMAGED`. */
  of(texts: readonly string[]): Map<string, Float32Array> {
    const select = this.#connection.cached<[string], { vector: Buffer; checksum: number | null }>(
      `SELECT vector, checksum FROM embeddings WHERE hash = ? AND vector IS NOT NULL`,
    );
    const found = new Map<string, Float32Array>();
    for (const text of new Set(texts)) {
      const hash = embeddingHash(this.#model.fingerprint, text);
      const row = select.get(hash);
      if (row)
        found.set(
          text,
          vectorOf({ hash, ...row }, () => 'The embedding of a text'),
        );
    }
    return found;
  }

  /** The texts that have no stored embedding, without duplicates. */
  missing(texts: readonly string[]): string[] {
    return [...new Set(texts)].filter((text) => !this.has(text));
  }

  /** Stores the embedding of a text that has none. Returns its row number. */
  insert(text: string, embedding: Float32Array): number {
    const { number } = this.ensure(text);
    this.put([{ id: number, embedding }]);
    return number;
  }

  /** Keys of the files with a text. */
  keysOf(number: number): string[] {
    return this.#connection
      .cached<[number, number], string>(
        `SELECT DISTINCT key FROM passages JOIN files ON files.number = file
         WHERE embedding = ? AND bot = ? ORDER BY key`,
      )
      .pluck()
      .all(number, this.#bot);
  }

  /** As `PendingTexts.pending`; with `key`, of one file. Throws `DATABASE_DAMAGED`. */
  pending({ after, limit, key }: PendingPage): PendingText[] {
    const ofFile = `AND number IN (
      SELECT embedding FROM passages JOIN files ON files.number = file WHERE bot = ? AND key = ?)`;
    const rows = this.#connection
      .cached<unknown[], PendingRow>(
        `SELECT ${PENDING_ROW} FROM embeddings WHERE vector IS NULL AND model = ? AND number > ?
         ${key === undefined ? '' : ofFile} ORDER BY number LIMIT ?`,
      )
      .all(this.#model.number, after, ...(key === undefined ? [] : [this.#bot, key]), limit);
    return this.textsOf(rows);
  }

  /** The texts of rows. Throws `DATABASE_DAMAGED` for one that is not as it was written. */
  textsOf(rows: readonly PendingRow[]): PendingText[] {
    return rows.map(({ id, hash, text }) => {
      if (typeof text === 'string' && hash === embeddingHash(this.#model.fingerprint, text)) return { id, text };
      throw damagedPart(`A text of ${this.#userOf(id)} that waits to be embedded`);
    });
  }

  countPending(): number {
    return this.#connection
      .prepare<[number], number>(`SELECT count(*) FROM embeddings WHERE vector IS NULL AND model = ?`)
      .pluck()
      .get(this.#model.number) as number;
  }

  /** Stores the embeddings of pending texts, and logs the change of every passage that has one of the texts. */
  put(embeddings: readonly TextEmbedding[]): void {
    const hashOf = this.#connection
      .cached<[number], string>(`SELECT hash FROM embeddings WHERE number = ? AND vector IS NULL`)
      .pluck();
    const update = this.#connection.cached<[Buffer, number, number]>(
      `UPDATE embeddings SET vector = ?, checksum = ?, text = NULL WHERE number = ?`,
    );
    const log = this.#connection.cached<[number]>(
      `INSERT INTO changes (bot, passage, embedded)
       SELECT bot, passages.number, 1 FROM passages JOIN files ON files.number = file WHERE embedding = ?`,
    );
    for (const { id, embedding } of embeddings) {
      const hash = hashOf.get(id);
      // Another process has stored it meanwhile, or nothing needs it any more.
      if (hash === undefined) continue;
      const bytes = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
      update.run(bytes, embeddingChecksum(hash, bytes), id);
      log.run(id);
    }
  }

  /** Logs that a passage got or lost its embedding. */
  logChange(passage: number, embedded: boolean): void {
    this.#connection
      .cached<[number, number, number]>(`INSERT INTO changes (bot, passage, embedded) VALUES (?, ?, ?)`)
      .run(this.#bot, passage, embedded ? 1 : 0);
  }

  /** Deletes an embedding unless a passage uses it. */
  remove(number: number): void {
    this.#connection.cached<[number]>(`DELETE FROM embeddings WHERE number = ? AND ${IS_UNUSED}`).run(number);
  }

  /** Deletes a pending text unless a passage uses it; a finished embedding is kept until `removeUnused`. */
  release(number: number): void {
    const unused = this.#connection
      .cached<[number], { embedded: 0 | 1 }>(
        `SELECT vector IS NOT NULL AS embedded FROM embeddings WHERE number = ? AND ${IS_UNUSED}`,
      )
      .get(number);
    // Not INSERT ... SELECT: SQLite would keep a statement journal for each.
    const keep = this.#connection.cached<[number]>(`INSERT INTO unused VALUES (?) ON CONFLICT DO NOTHING`);
    if (unused?.embedded === 1) keep.run(number);
    else if (unused) this.remove(number);
  }

  /** Deletes some of the released embeddings that no passage uses. Returns whether there are more. */
  removeUnused(): boolean {
    const released = this.#connection
      .prepare<[number], number>(`SELECT embedding FROM unused LIMIT ?`)
      .pluck()
      .all(DELETED_AT_ONCE);
    const forget = this.#connection.cached<[number]>(`DELETE FROM unused WHERE embedding = ?`);
    for (const number of released) {
      this.remove(number);
      forget.run(number);
    }
    return released.length === DELETED_AT_ONCE;
  }

  /** What errors call a file, perhaps a staged one, that has a text. */
  #userOf(number: number): string {
    const key = this.#connection
      .prepare<number[], string>(
        `SELECT key FROM files WHERE bot = ? AND number IN (
           SELECT file FROM passages WHERE embedding = ? UNION ALL SELECT file FROM staged_passages WHERE embedding = ?)
         ORDER BY key`,
      )
      .pluck()
      .get(this.#bot, number, number);
    return key ?? 'another bot';
  }

  #modelChanged(): WaymarkError {
    const row = this.#connection
      .prepare<[number, number], { bot: string; now: string; before: string }>(
        `SELECT bots.name AS bot, now.name AS now, before.name AS before FROM bots
         JOIN models AS now ON now.number = bots.model JOIN models AS before ON before.number = ?
         WHERE bots.number = ?`,
      )
      .get(this.#model.number, this.#bot);
    return row ? replacedModel(row.bot, row) : deletedBot();
  }
}
