import type { SimilarityScale } from '../../domain/similarity-scale.js';
import { assertSameDimensions, otherModel } from '../../storage/failures.js';
import { type ModelRecord, type Models, type ModelToRecord, sourceToRecord } from '../../storage/storage.js';
import type { Connection } from '../connection/connection.js';
import type { BotRow, SqliteBots } from './sqlite-bots.js';

/** A model with its row number, which stays inside `sqlite/`. */
export interface ModelRow extends ModelRecord {
  readonly number: number;
}

const MODEL = `SELECT models.number, models.name AS id, fingerprint, source, dimensions FROM models`;

/** The models of bots, in SQLite. */
export class SqliteModels implements Models {
  readonly #connection: Connection;
  readonly #bots: SqliteBots;

  constructor(connection: Connection, bots: SqliteBots) {
    this.#connection = connection;
    this.#bots = bots;
  }

  async ofBot(botId: string): Promise<ModelRecord | undefined> {
    const row = this.rowOf(botId);
    if (!row) return undefined;
    const { id, fingerprint, dimensions, source } = row;
    return { id, fingerprint, dimensions, source };
  }

  async assign(botId: string, model: ModelToRecord): Promise<void> {
    const source = sourceToRecord(model);
    const known = this.rowOf(botId);
    if (known) assertSameDimensions(known, model.card);
    const isSame = known?.fingerprint === model.card.fingerprint;
    // Nothing is written if nothing changes, so that a read-only database can be searched.
    if (isSame && (source ?? known.source) === known.source) return;
    const assigned = this.#connection.write(() => {
      const bot = this.#bots.row(botId);
      const recorded = this.rowOf(botId);
      const differs = recorded && recorded.fingerprint !== model.card.fingerprint;
      if (differs && this.#hasFiles(bot)) throw otherModel(bot.name, recorded, model.card);
      const { number } = this.record(model);
      this.#connection
        .prepare(`UPDATE bots SET model = ? WHERE number = ? AND model IS NOT ?`)
        .run(number, bot.number, number);
    });
    // A new location of the same model is recorded only if the database can be written.
    await (isSame ? assigned.catch(() => {}) : assigned);
  }

  async similarity(fingerprint: string): Promise<SimilarityScale | undefined> {
    return this.#connection
      .prepare<[string], SimilarityScale>(
        `SELECT unrelated, related FROM models
         WHERE fingerprint = ? AND unrelated IS NOT NULL AND related IS NOT NULL`,
      )
      .get(fingerprint);
  }

  async setSimilarity(fingerprint: string, { unrelated, related }: SimilarityScale): Promise<void> {
    await this.#connection.write(() =>
      this.#connection
        .prepare(`UPDATE models SET unrelated = ?, related = ? WHERE fingerprint = ?`)
        .run(unrelated, related, fingerprint),
    );
  }

  /** The model of a bot's files; undefined until one is assigned. */
  rowOf(botId: string): ModelRow | undefined {
    return this.#connection
      .cached<[string], ModelRow>(`${MODEL} JOIN bots ON bots.model = models.number WHERE bots.id = ?`)
      .get(botId);
  }

  /** The row number of a recorded model. */
  numberOf(fingerprint: string): number {
    const number = this.#connection
      .prepare<[string], number>(`SELECT number FROM models WHERE fingerprint = ?`)
      .pluck()
      .get(fingerprint);
    if (number === undefined)
      throw new RangeError('the model is not recorded: assign it before opening the passages of a bot');
    return number;
  }

  /** The row of a model, inserted if it is new. Needs a transaction. Throws `MODEL_INVALID`. */
  record({ card, location }: ModelToRecord): ModelRow {
    const row = this.#connection
      .prepare<[string, string, string | null, number], ModelRow>(
        `INSERT INTO models (fingerprint, name, source, dimensions) VALUES (?, ?, ?, ?)
         ON CONFLICT (fingerprint) DO UPDATE SET source = coalesce(excluded.source, source)
         RETURNING number, name AS id, fingerprint, source, dimensions`,
      )
      .get(card.fingerprint, card.id, sourceToRecord({ location }), card.dimensions) as ModelRow;
    assertSameDimensions(row, card);
    return row;
  }

  #hasFiles({ number }: BotRow): boolean {
    return this.#connection.prepare<[number]>(`SELECT 1 FROM files WHERE bot = ?`).get(number) !== undefined;
  }
}
