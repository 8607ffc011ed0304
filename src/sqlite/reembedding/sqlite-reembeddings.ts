import { REEMBEDDING_LIFETIME, type StagedFiles, type UnfinishedReembedding } from '../../storage/staged-files.js';
import type { ModelToRecord, Reembeddings } from '../../storage/storage.js';
import { checkEmbedding } from '../../vectors/vector-index.js';
import type { SqliteBots } from '../accounts/sqlite-bots.js';
import type { SqliteModels } from '../accounts/sqlite-models.js';
import type { Connection } from '../connection/connection.js';
import { Embeddings } from '../embeddings/embeddings.js';
import { PassageWriter } from '../passages/passage-writer.js';
import { Postings } from '../postings/postings.js';
import { SqliteStagedFiles } from './sqlite-staged-files.js';

/** Re-embeddings in SQLite. */
export class SqliteReembeddings implements Reembeddings {
  readonly #connection: Connection;
  readonly #bots: SqliteBots;
  readonly #models: SqliteModels;

  constructor(connection: Connection, { bots, models }: { bots: SqliteBots; models: SqliteModels }) {
    this.#connection = connection;
    this.#bots = bots;
    this.#models = models;
  }

  async open(botId: string, model: ModelToRecord): Promise<StagedFiles> {
    const { number: bot } = this.#bots.row(botId);
    const recorded = await this.#connection.write(() => this.#models.record(model));
    const embeddings = new Embeddings(this.#connection, { bot, model: recorded });
    const postings = await Postings.open(this.#connection, bot);
    return new SqliteStagedFiles(this.#connection, {
      bot,
      model: recorded.number,
      embeddings,
      passages: new PassageWriter(this.#connection, { embeddings, postings }),
      checkEmbedding: (embedding) => checkEmbedding(embedding, recorded.dimensions),
    });
  }

  async unfinished(botId: string): Promise<UnfinishedReembedding | undefined> {
    return this.#connection
      .prepare<[string], UnfinishedReembedding>(
        `SELECT models.name AS model, (SELECT count(*) FROM staged_files WHERE bot = reembeddings.bot) AS files,
           count(embeddings.number) AS passages, count(vector) AS embedded
         FROM reembeddings JOIN models ON models.number = reembeddings.model
         JOIN bots ON bots.number = reembeddings.bot
         LEFT JOIN staged_files ON staged_files.bot = reembeddings.bot
         LEFT JOIN staged_passages ON staged_passages.file = staged_files.file
         LEFT JOIN embeddings ON embeddings.number = embedding
         WHERE bots.id = ? GROUP BY reembeddings.bot`,
      )
      .get(botId);
  }

  async unfinishedModel(botId: string): Promise<string | undefined> {
    const row = this.#connection
      .prepare<[string], { source: string | null }>(
        `SELECT source FROM reembeddings JOIN models ON models.number = reembeddings.model
         JOIN bots ON bots.number = bot WHERE bots.id = ?`,
      )
      .get(botId);
    return row?.source ?? undefined;
  }

  async discard(botId: string): Promise<void> {
    // Its embeddings become unused: the next compaction deletes them.
    const sql = `DELETE FROM reembeddings WHERE bot = (SELECT number FROM bots WHERE id = ?)`;
    await this.#connection.write(() => this.#connection.prepare(sql).run(botId));
  }
}

/** Discards the re-embeddings that nobody continued. Needs a transaction. */
export function discardAbandoned(connection: Connection): void {
  const before = new Date(Date.now() - REEMBEDDING_LIFETIME).toISOString();
  connection.cached<[string]>(`DELETE FROM reembeddings WHERE touched_at < ?`).run(before);
}
