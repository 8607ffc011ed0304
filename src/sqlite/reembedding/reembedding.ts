import type { UnfinishedReembedding } from '../../contract/reembedding.js';
import { WaymarkError } from '../../domain/errors.js';
import type { PassageToPut, PendingText } from '../../storage/passage-store.js';
import { sealFile } from '../connection/checksums.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { Passages } from '../passages/passages.js';

/** A file as it is stored, to be cut for another model. */
export interface FileToStage {
  readonly number: number;
  readonly key: string;
  readonly pipeline: string;
  readonly text: string;
  /** Names what the file is: another text after every change of its passages. */
  readonly source: string;
}

/** A passage of a file whose cut is a caller's. */
export interface CutPassage {
  readonly start: number;
  readonly end: number;
  readonly subtype: PassageToPut['subtype'];
  readonly page: number | null;
}

/** Milliseconds after which one that did not go on is given up: a week. */
const LIFETIME = 7 * 24 * 60 * 60_000;

/** Callers cut the same text otherwise: hash and pipeline alone do not tell. */
const SOURCE = `(files.hash || ' ' || files.pipeline || ' ' || coalesce(
  (SELECT group_concat(number || ' ' || subtype || ' ' || coalesce(page, ''), ',' ORDER BY position)
   FROM passages WHERE passages.file = files.number), ''))`;

const UNSTAGED = `files JOIN texts ON texts.file = files.number
  LEFT JOIN staged_files ON staged_files.file = files.number
  WHERE +files.bot = @bot AND staged_files.source IS NOT ${SOURCE}`;

const PENDING = `vector IS NULL AND model = @model AND EXISTS (
  SELECT 1 FROM staged_passages JOIN staged_files ON staged_files.file = staged_passages.file
  WHERE embedding = embeddings.number AND bot = @bot)`;

/**
 * A bot's files as another model is to have them, beside those that are searched: cut, then embedded, then put in their
 * place, all in one transaction. What is staged is there after a kill; staged texts keep their embeddings.
 */
export class Reembedding {
  readonly #database: Database;
  readonly #bot: number;
  readonly #model: number;
  readonly #embeddings: Embeddings;
  readonly #passages: Passages;

  /** `embeddings` and `passages` are those of the other model. */
  constructor(database: Database, parts: { bot: number; model: number; embeddings: Embeddings; passages: Passages }) {
    this.#database = database;
    this.#bot = parts.bot;
    this.#model = parts.model;
    this.#embeddings = parts.embeddings;
    this.#passages = parts.passages;
  }

  /** Takes up what there is for this model; what there is for another goes. */
  begin(): void {
    const begin = this.#database.transaction(() => {
      this.#database.prepare(`DELETE FROM reembeddings WHERE bot = ? AND model <> ?`).run(this.#bot, this.#model);
      this.#database
        .prepare(`INSERT INTO reembeddings (bot, model, touched_at) VALUES (?, ?, ?) ON CONFLICT (bot) DO NOTHING`)
        .run(this.#bot, this.#model, new Date().toISOString());
    });
    begin.immediate();
  }

  /** The next file, behind a number, that is not staged as it is now; with a pipeline only of those. */
  nextUnstaged({ after, pipeline }: { after: number; pipeline?: string | undefined }): FileToStage | undefined {
    return this.#database
      .prepare<[object], FileToStage>(
        `SELECT files.number, files.key, files.pipeline, text, ${SOURCE} AS source FROM ${UNSTAGED}
         AND files.number > @after AND files.pipeline = coalesce(@pipeline, files.pipeline) ORDER BY files.number LIMIT 1`,
      )
      .get({ bot: this.#bot, after, pipeline: pipeline ?? null });
  }

  countUnstaged(): number {
    return this.#database
      .prepare<[object], number>(`SELECT count(*) FROM ${UNSTAGED}`)
      .pluck()
      .get({ bot: this.#bot }) as number;
  }

  /** In document order. */
  passagesOf({ number }: FileToStage): CutPassage[] {
    return this.#database
      .prepare<[number], CutPassage>(
        `SELECT start, "end", subtype, page FROM passages WHERE file = ? ORDER BY position`,
      )
      .all(number);
  }

  /** Stages a file with its new passages; one that has changed since it was read is left for the next round. */
  stage(
    { number, source }: FileToStage,
    cut: { pipeline: string; warnings: readonly string[]; passages: readonly PassageToPut[] },
  ): void {
    this.#write(() => {
      const now = this.#database
        .prepare<[number], string>(`SELECT ${SOURCE} FROM files WHERE number = ?`)
        .pluck()
        .get(number);
      if (now !== source) return;
      this.#database.prepare(`DELETE FROM staged_files WHERE file = ?`).run(number);
      this.#database
        .prepare(`INSERT INTO staged_files (file, bot, source, pipeline, warnings) VALUES (?, ?, ?, ?, ?)`)
        .run(number, this.#bot, source, cut.pipeline, JSON.stringify(cut.warnings));
      const insert = this.#database.prepare(`INSERT INTO staged_passages (file, passage, embedding) VALUES (?, ?, ?)`);
      for (const passage of cut.passages) {
        insert.run(number, JSON.stringify(passage), this.#embeddings.numberOf(passage.text).number);
      }
    });
  }

  /** Staged texts without an embedding, in order, from behind number `after`. */
  pending({ after, limit }: { after: number; limit: number }): PendingText[] {
    return prepared<[object], PendingText>(
      this.#database,
      `SELECT number AS id, text FROM embeddings WHERE ${PENDING} AND number > @after ORDER BY number LIMIT @limit`,
    ).all({ bot: this.#bot, model: this.#model, after, limit });
  }

  countPending(): number {
    const count = prepared<[object], { count: number }>(
      this.#database,
      `SELECT count(*) AS count FROM embeddings WHERE ${PENDING}`,
    );
    return count.get({ bot: this.#bot, model: this.#model })?.count ?? 0;
  }

  putEmbeddings(embeddings: readonly { readonly id: number; readonly embedding: Float32Array }[]): void {
    this.#write(() => this.#embeddings.put(embeddings));
  }

  /**
   * Puts all that is staged in place of what is searched, and ties the bot to the model; false, and nothing is done,
   * where a file is not staged as it is now or a text is not embedded.
   */
  switchOver(): boolean {
    let complete = true;
    this.#write(() => {
      complete = this.countUnstaged() === 0 && this.countPending() === 0;
      if (complete) this.#putInPlace();
    });
    return complete;
  }

  #putInPlace(): void {
    const staged = this.#database
      .prepare<[number], { number: number; id: string }>(
        `SELECT files.number, files.id FROM staged_files JOIN files ON files.number = file WHERE staged_files.bot = ?`,
      )
      .all(this.#bot);
    const passages = this.#database
      .prepare<[number], string>(`SELECT passage FROM staged_passages WHERE file = ? ORDER BY number`)
      .pluck();
    const update = this.#database.prepare(
      `UPDATE files SET pipeline = staged_files.pipeline, warnings = staged_files.warnings FROM staged_files
       WHERE staged_files.file = files.number AND files.number = ?`,
    );
    for (const file of staged) {
      const cut: PassageToPut[] = passages.all(file.number).map((passage) => JSON.parse(passage));
      this.#passages.replace(file, cut, { keepPostings: true });
      update.run(file.number);
      sealFile(this.#database, file.number);
    }
    // It is a cache of the old embeddings.
    for (const table of ['snapshots', 'snapshot_parts']) {
      this.#database.prepare(`DELETE FROM ${table} WHERE bot = ?`).run(this.#bot);
    }
    this.#database.prepare(`UPDATE bots SET model = ? WHERE number = ?`).run(this.#model, this.#bot);
    this.#database.prepare(`DELETE FROM reembeddings WHERE bot = ?`).run(this.#bot);
  }

  /** In one transaction, as long as this is the re-embedding that is under way; nothing where another has ended it. */
  #write(work: () => void): void {
    const write = this.#database.transaction(() => {
      const { current, staged, name } = this.#database
        .prepare<[number], { current: number | null; staged: number | null; name: string | null }>(
          `SELECT bots.model AS current, reembeddings.model AS staged, models.name FROM bots
           LEFT JOIN reembeddings ON bot = bots.number LEFT JOIN models ON models.number = reembeddings.model
           WHERE bots.number = ?`,
        )
        .get(this.#bot) ?? { current: null, staged: null, name: null };
      // Another process did the same, and was the first.
      if (current === this.#model) return;
      if (staged !== this.#model) throw replaced(name);
      work();
      this.#database
        .prepare(`UPDATE reembeddings SET touched_at = ? WHERE bot = ?`)
        .run(new Date().toISOString(), this.#bot);
    });
    write.immediate();
  }
}

/** What there is of a re-embedding of a bot's files; undefined where none is under way. */
export function unfinishedReembedding(database: Database, bot: number): UnfinishedReembedding | undefined {
  return database
    .prepare<[number], UnfinishedReembedding>(
      `SELECT name AS model, (SELECT count(*) FROM staged_files WHERE bot = reembeddings.bot) AS files,
         count(embeddings.number) AS passages, count(vector) AS embedded
       FROM reembeddings JOIN models ON models.number = reembeddings.model
       LEFT JOIN staged_files ON staged_files.bot = reembeddings.bot
       LEFT JOIN staged_passages ON staged_passages.file = staged_files.file
       LEFT JOIN embeddings ON embeddings.number = embedding
       WHERE reembeddings.bot = ? GROUP BY reembeddings.bot`,
    )
    .get(bot);
}

/** What its model is opened by, as JSON; undefined where none is under way, or the embedder was given as an object. */
export function unfinishedModel(database: Database, bot: number): string | undefined {
  return (
    database
      .prepare<[number], { source: string | null }>(
        `SELECT source FROM reembeddings JOIN models ON models.number = model WHERE bot = ?`,
      )
      .get(bot)?.source ?? undefined
  );
}

/** Gives up the re-embedding of a bot's files; its embeddings go with what is unused. */
export function giveUpReembedding(database: Database, bot: number): void {
  database.prepare(`DELETE FROM reembeddings WHERE bot = ?`).run(bot);
}

/** Gives up those that nobody took up again. */
export function removeAbandoned(database: Database): void {
  const before = new Date(Date.now() - LIFETIME).toISOString();
  database.prepare(`DELETE FROM reembeddings WHERE touched_at < ?`).run(before);
}

function replaced(other: string | null): WaymarkError {
  const by = other === null ? 'it was given up' : `one with ${other} was begun`;
  return new WaymarkError(
    'ABORTED',
    `This re-embedding has ended, since ${by} meanwhile: begin again where it is still wanted.`,
  );
}
