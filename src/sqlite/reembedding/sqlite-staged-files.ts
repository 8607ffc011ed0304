import { endedReembedding } from '../../storage/failures.js';
import type { PassageToPut, PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import type { FileToStage, GivenCut, StagedFiles } from '../../storage/staged-files.js';
import { type Cell, rowChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { type Embeddings, PENDING_ROW, type PendingRow } from '../embeddings/embeddings.js';
import { assertSealed, sealFile } from '../files/seal-file.js';
import { drain } from '../passages/drain.js';
import { givenCuts } from '../passages/given-cuts.js';
import type { PassageWriter } from '../passages/passage-writer.js';
import { FileTexts } from '../texts/file-texts.js';

/** Hash and pipeline alone do not identify a file's passages: callers may cut the same text differently. */
const VERSION = `(files.hash || ' ' || files.pipeline || ' ' || coalesce(
  (SELECT group_concat(number || ' ' || subtype || ' ' || coalesce(page, ''), ',' ORDER BY position)
   FROM passages WHERE passages.file = files.number), ''))`;

/** Files without a hash were excluded from search by a repair: their texts are damaged. */
const UNSTAGED = `files JOIN texts ON texts.file = files.number
  LEFT JOIN staged_files ON staged_files.file = files.number
  WHERE +files.bot = @bot AND files.hash <> '' AND staged_files.source IS NOT ${VERSION}`;

const PENDING = `vector IS NULL AND model = @model AND EXISTS (
  SELECT 1 FROM staged_passages JOIN staged_files ON staged_files.file = staged_passages.file
  WHERE embedding = embeddings.number AND bot = @bot)`;

/** The staging area of a bot's re-embedding, in SQLite. */
export class SqliteStagedFiles implements StagedFiles {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #model: number;
  readonly #embeddings: Embeddings;
  readonly #passages: PassageWriter;
  readonly #checkEmbedding: (embedding: Float32Array) => void;
  readonly #texts: FileTexts;

  /** `embeddings` and `passages` write for the new model; `checkEmbedding` throws `EMBEDDING_INVALID`. */
  constructor(
    connection: Connection,
    parts: {
      bot: number;
      model: number;
      embeddings: Embeddings;
      passages: PassageWriter;
      checkEmbedding: (embedding: Float32Array) => void;
    },
  ) {
    this.#connection = connection;
    this.#bot = parts.bot;
    this.#model = parts.model;
    this.#embeddings = parts.embeddings;
    this.#passages = parts.passages;
    this.#checkEmbedding = parts.checkEmbedding;
    this.#texts = new FileTexts(connection);
  }

  async begin(): Promise<void> {
    await this.#connection.write(() => {
      this.#connection.prepare(`DELETE FROM reembeddings WHERE bot = ? AND model <> ?`).run(this.#bot, this.#model);
      this.#connection
        .prepare(`INSERT INTO reembeddings (bot, model, touched_at) VALUES (?, ?, ?) ON CONFLICT (bot) DO NOTHING`)
        .run(this.#bot, this.#model, new Date().toISOString());
    });
  }

  async nextUnstaged({
    after,
    pipeline,
  }: Parameters<StagedFiles['nextUnstaged']>[0]): Promise<FileToStage | undefined> {
    // On one snapshot: another process may replace the text.
    return this.#connection.read(() => {
      const file = this.#connection
        .cached<[object], Omit<FileToStage, 'text'>>(
          `SELECT files.number, files.key, files.pipeline, ${VERSION} AS version FROM ${UNSTAGED}
           AND files.number > @after AND files.pipeline = coalesce(@pipeline, files.pipeline)
           ORDER BY files.number LIMIT 1`,
        )
        .get({ bot: this.#bot, after, pipeline: pipeline ?? null });
      return file && { ...file, text: this.#texts.whole(file.number) };
    });
  }

  async countUnstaged(): Promise<number> {
    return this.#countUnstaged();
  }

  async givenCuts({ number }: FileToStage): Promise<GivenCut[]> {
    return givenCuts(this.#connection, number);
  }

  async stage({ number, version }: FileToStage, cut: Parameters<StagedFiles['stage']>[1]): Promise<void> {
    await this.#write(() => {
      const now = this.#connection
        .cached<[number], string>(`SELECT ${VERSION} FROM files WHERE number = ?`)
        .pluck()
        .get(number);
      if (now !== version) return;
      this.#connection.prepare(`DELETE FROM staged_files WHERE file = ?`).run(number);
      this.#connection
        .prepare(`INSERT INTO staged_files (file, bot, source, pipeline, warnings) VALUES (?, ?, ?, ?, ?)`)
        .run(number, this.#bot, version, cut.pipeline, JSON.stringify(cut.warnings));
      const insert = this.#connection.cached<[number, string, number]>(
        `INSERT INTO staged_passages (file, passage, embedding) VALUES (?, ?, ?)`,
      );
      for (const passage of cut.passages) {
        insert.run(number, JSON.stringify(passage), this.#embeddings.ensure(passage.text).number);
      }
      this.#connection
        .cached(`UPDATE staged_files SET checksum = ? WHERE file = ?`)
        .run(this.#checksum(number) ?? null, number);
    });
  }

  async pending({ after, limit }: PendingPage): Promise<PendingText[]> {
    return this.#connection.read(() => {
      const rows = this.#connection
        .cached<[object], PendingRow>(
          `SELECT ${PENDING_ROW} FROM embeddings WHERE ${PENDING} AND number > @after ORDER BY number LIMIT @limit`,
        )
        .all({ bot: this.#bot, model: this.#model, after, limit });
      return this.#embeddings.textsOf(rows);
    });
  }

  async countPending(): Promise<number> {
    return this.#countPending();
  }

  async putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void> {
    for (const { embedding } of embeddings) this.#checkEmbedding(embedding);
    await this.#write(() => this.#embeddings.put(embeddings));
  }

  async switchOver(): Promise<boolean> {
    let isComplete = true;
    await this.#write(() => {
      this.#unstageDamaged();
      isComplete = this.#countUnstaged() === 0 && this.#countPending() === 0;
      if (isComplete) this.#replaceAll();
    });
    return isComplete;
  }

  /** Unstages files that are not as they were staged, or that have no checksum: they are staged again. */
  #unstageDamaged(): void {
    const files = this.#connection
      .prepare<[number], { file: number; checksum: number | null }>(
        `SELECT file, checksum FROM staged_files WHERE bot = ?`,
      )
      .all(this.#bot);
    const unstage = this.#connection.prepare<[number]>(`DELETE FROM staged_files WHERE file = ?`);
    for (const { file, checksum } of files) if (checksum !== this.#checksum(file)) unstage.run(file);
  }

  /** The present checksum of what is staged for a file; undefined if nothing is. */
  #checksum(file: number): number | undefined {
    const head = this.#connection
      .cached<[number], Cell[]>(`SELECT pipeline, warnings FROM staged_files WHERE file = ?`)
      .raw()
      .get(file);
    const passages = this.#connection
      .cached<[number], Cell[]>(`SELECT passage, embedding FROM staged_passages WHERE file = ? ORDER BY number`)
      .raw()
      .all(file);
    return head && rowChecksum([...head, ...passages.flat()]);
  }

  #countUnstaged(): number {
    return this.#connection
      .prepare<[object], number>(`SELECT count(*) FROM ${UNSTAGED}`)
      .pluck()
      .get({ bot: this.#bot }) as number;
  }

  #countPending(): number {
    return this.#connection
      .prepare<[object], number>(`SELECT count(*) FROM embeddings WHERE ${PENDING}`)
      .pluck()
      .get({ bot: this.#bot, model: this.#model }) as number;
  }

  #replaceAll(): void {
    const staged = this.#connection
      .prepare<[number], { number: number; id: string }>(
        `SELECT files.number, files.id FROM staged_files JOIN files ON files.number = file WHERE staged_files.bot = ?`,
      )
      .all(this.#bot);
    const passages = this.#connection
      .prepare<[number], string>(`SELECT passage FROM staged_passages WHERE file = ? ORDER BY number`)
      .pluck();
    const update = this.#connection.prepare<[number]>(
      `UPDATE files SET pipeline = staged_files.pipeline, warnings = staged_files.warnings FROM staged_files
       WHERE staged_files.file = files.number AND files.number = ?`,
    );
    for (const file of staged) {
      assertSealed(this.#connection, file.id);
      const cut: PassageToPut[] = passages.all(file.number).map((passage) => JSON.parse(passage));
      drain(this.#passages.replace(file, cut, { keepPostings: true }));
      update.run(file.number);
      sealFile(this.#connection, file.number);
    }
    // The snapshot is a cache of the old embeddings.
    for (const table of ['snapshots', 'snapshot_parts']) {
      this.#connection.prepare(`DELETE FROM ${table} WHERE bot = ?`).run(this.#bot);
    }
    this.#connection.prepare(`UPDATE bots SET model = ? WHERE number = ?`).run(this.#model, this.#bot);
    this.#connection.prepare(`DELETE FROM reembeddings WHERE bot = ?`).run(this.#bot);
  }

  /**
   * Runs a write of this re-embedding; does nothing if another process has completed it. Throws `ABORTED` if it was
   * discarded or replaced.
   */
  async #write(work: () => void): Promise<void> {
    await this.#connection.write(() => {
      const { current, staged, name } = this.#connection
        .cached<[number], { current: number | null; staged: number | null; name: string | null }>(
          `SELECT bots.model AS current, reembeddings.model AS staged, models.name FROM bots
           LEFT JOIN reembeddings ON bot = bots.number LEFT JOIN models ON models.number = reembeddings.model
           WHERE bots.number = ?`,
        )
        .get(this.#bot) ?? { current: null, staged: null, name: null };
      if (current === this.#model) return;
      if (staged !== this.#model) throw endedReembedding(name);
      work();
      this.#connection
        .cached<[string, number]>(`UPDATE reembeddings SET touched_at = ? WHERE bot = ?`)
        .run(new Date().toISOString(), this.#bot);
    });
  }
}
