import { createHash } from 'node:crypto';
import type { Passage, Subtype } from '../../domain/passage.js';
import type {
  FileRange,
  PassageShapes,
  PassageToPut,
  StoredPassage,
  TagFilter,
  Window,
} from '../../storage/passage-store.js';
import { damagedPart, rowChecksum } from '../connection/checksums.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { stateOf } from '../connection/state.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import { SUMMARY, type SummaryRow, summaryOf } from '../files/files.js';
import { tagCondition } from '../files/tag-filter.js';
import { Texts } from '../files/texts.js';
import type { Postings } from '../postings/postings.js';
import { Shapes } from './shapes.js';

interface PassageRow {
  readonly number: number;
  readonly file: number;
  readonly id: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly breadcrumb: string;
  readonly subtype: Subtype;
  readonly length: number;
  readonly page: number | null;
  readonly embedding: number;
  readonly checksum: number | null;
}

const PASSAGE = `passages.number, passages.id, file, position, start, "end", start_line AS startLine, end_line AS endLine,
  breadcrumb, subtype, length, page, embedding, passages.checksum`;

/** The passages of one bot's files. */
export class Passages {
  readonly #database: Database;
  readonly #embeddings: Embeddings;
  readonly #postings: Postings;
  readonly #bot: number;
  readonly #shapes: Shapes;
  readonly #texts: Texts;
  /** What passed the last filter: each side of a search asks for it, and people ask again. */
  #filtered: { readonly asked: string; readonly numbers: Uint32Array } | undefined;

  constructor(
    database: Database,
    { embeddings, postings, bot }: { embeddings: Embeddings; postings: Postings; bot: number },
  ) {
    this.#database = database;
    this.#embeddings = embeddings;
    this.#postings = postings;
    this.#bot = bot;
    this.#shapes = new Shapes(database);
    this.#texts = new Texts(database);
  }

  /**
   * Puts the passages of a file in place of those that it had; one that is the same keeps its number, and with
   * `keepPostings` its postings: where the file's text is the same, and the way to cut it is but for the model.
   */
  replace(
    file: { number: number; id: string },
    passages: readonly PassageToPut[],
    { keepPostings = false }: { readonly keepPostings?: boolean } = {},
  ): void {
    this.#postings.change(() => this.#replace(file, { passages, keepPostings }));
  }

  #replace(
    file: { number: number; id: string },
    { passages, keepPostings }: { passages: readonly PassageToPut[]; keepPostings: boolean },
  ): void {
    const old = this.#database
      .prepare<[number], { number: number; id: string; embedding: number; breadcrumb: string }>(
        `SELECT number, id, embedding, breadcrumb FROM passages WHERE file = ?`,
      )
      .all(file.number);
    const kept = new Map(old.map((row) => [row.id, row]));
    const replaced: number[] = [];
    this.#database.prepare(`DELETE FROM passages WHERE file = ?`).run(file.number);
    const insert = this.#database.prepare(
      `INSERT INTO passages (number, id, file, position, start, "end", start_line, end_line, breadcrumb, subtype, length, page, embedding, checksum)
       VALUES (@number, @id, @file, @position, @start, @end, @startLine, @endLine, @breadcrumb, @subtype, @length, @page, @embedding, @checksum)`,
    );
    const seen = new Map<string, number>();
    for (const passage of passages) {
      const embedding = this.#embeddings.numberOf(passage.text);
      const occurrence = seen.get(passage.text) ?? 0;
      seen.set(passage.text, occurrence + 1);
      const id = uuidOf([file.id, occurrence, passage.text]);
      const before = kept.get(id);
      kept.delete(id);
      const { postings: _, ...columns } = passage;
      const row = {
        ...columns,
        page: passage.page ?? null,
        breadcrumb: JSON.stringify(passage.breadcrumb),
        id,
        file: file.number,
        embedding: embedding.number,
      };
      const checksum = passageChecksum(row);
      const inserted = Number(insert.run({ ...row, number: before?.number ?? null, checksum }).lastInsertRowid);
      if (!keepPostings || before?.breadcrumb !== row.breadcrumb) this.#postings.put(inserted, passage.postings);
      if (before?.embedding === embedding.number) continue;
      if (before || embedding.embedded) this.#embeddings.changed(inserted, embedding.embedded);
      // The same text, embedded with another model.
      if (before) replaced.push(before.embedding);
    }
    for (const embedding of replaced) this.#embeddings.release(embedding);
    for (const { number, embedding } of old.filter(({ id }) => kept.has(id))) {
      this.#postings.remove(number);
      this.#embeddings.changed(number, false);
      // Its text may have gone to a file that is read later in this run.
      this.#embeddings.release(embedding);
    }
  }

  /** To be called before a file's row goes, and its passages with it. */
  removeAll(file: number): void {
    const old = this.#database
      .prepare<[number], { number: number; embedding: number }>(`SELECT number, embedding FROM passages WHERE file = ?`)
      .all(file);
    this.#database.prepare(`DELETE FROM passages WHERE file = ?`).run(file);
    this.#postings.change(() => {
      for (const { number } of old) this.#postings.remove(number);
    });
    for (const { number, embedding } of old) {
      this.#embeddings.changed(number, false);
      this.#embeddings.remove(embedding);
    }
  }

  /** In the order of the numbers; those that are gone are left out. */
  read(numbers: readonly number[]): StoredPassage[] {
    const rows = prepared<[string], PassageRow & SummaryRow>(
      this.#database,
      `SELECT ${PASSAGE}, ${SUMMARY} FROM json_each(?) AS wanted
       JOIN passages ON passages.number = wanted.value JOIN files ON files.number = passages.file ORDER BY wanted.key`,
    ).all(JSON.stringify(numbers));
    return rows.map((row) => ({
      number: row.number,
      passage: this.#passage(row, this.#texts.of(row.file)),
      file: summaryOf(row),
    }));
  }

  shapes(numbers: readonly number[]): PassageShapes {
    return this.#shapes.of(numbers);
  }

  window({ fileId, from, to }: FileRange): Window {
    const rows = prepared<[string, number, number], PassageRow>(
      this.#database,
      `SELECT ${PASSAGE} FROM passages JOIN files ON files.number = file
       WHERE files.id = ? AND position BETWEEN ? AND ? ORDER BY position`,
    ).all(fileId, from, to);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return { text: '', passages: [] };
    const text = this.#texts.of(first.file);
    return { text: text.slice(first.start, last.end), passages: rows.map((row) => this.#passage(row, text)) };
  }

  /** Throws `DATABASE_DAMAGED` for one that is not as it was written. */
  #passage(row: PassageRow, text: string): Passage {
    if (row.checksum === null || row.checksum === passageChecksum(row)) return passageOf(row, text);
    const key = this.#database
      .prepare<[number], string>(`SELECT key FROM files WHERE number = ?`)
      .pluck()
      .get(row.file);
    throw damagedPart(`Passage ${row.position} of ${key}`);
  }

  /** Numbers of the passages whose file passes the filter, in ascending order; undefined where all do. */
  numbersOf(tags: TagFilter): Uint32Array | undefined {
    const { sql, parameters } = tagCondition(tags);
    if (parameters.length === 0) return undefined;
    const asked = `${stateOf(this.#database)} ${JSON.stringify(parameters)} ${sql}`;
    if (asked === this.#filtered?.asked) return this.#filtered.numbers;
    const numbers = this.#database
      .prepare<unknown[], number>(
        `SELECT passages.number FROM passages JOIN files ON files.number = file
         WHERE files.bot = ? AND ${sql} ORDER BY passages.number`,
      )
      .pluck()
      .all(this.#bot, ...parameters);
    this.#filtered = { asked, numbers: Uint32Array.from(numbers) };
    return this.#filtered.numbers;
  }

  count(): { passages: number; embedded: number } {
    // By what is pending, which has an index: reading every embedding would take longer.
    return this.#database
      .prepare(
        `SELECT passages, passages - pending AS embedded FROM
           (SELECT count(*) AS passages FROM files JOIN passages ON file = files.number WHERE bot = @bot),
           (SELECT count(*) AS pending FROM embeddings CROSS JOIN passages ON embedding = embeddings.number
            JOIN files ON files.number = file WHERE vector IS NULL AND bot = @bot)`,
      )
      .get({ bot: this.#bot }) as { passages: number; embedded: number };
  }
}

/** In the order of `PASSAGE_SUMMED`. */
function passageChecksum(row: Omit<PassageRow, 'number' | 'checksum'>): number {
  const { id, file, position, start, end, startLine, endLine, breadcrumb, subtype, length, page, embedding } = row;
  return rowChecksum([
    id,
    file,
    position,
    start,
    end,
    startLine,
    endLine,
    breadcrumb,
    subtype,
    length,
    page,
    embedding,
  ]);
}

function passageOf(row: PassageRow, text: string): Passage {
  const { id, position, start, end, startLine, endLine, subtype, page } = row;
  const breadcrumb: string[] = JSON.parse(row.breadcrumb);
  const passage = {
    id,
    content: text.slice(start, end),
    breadcrumb,
    subtype,
    position,
    start,
    end,
    startLine,
    endLine,
  };
  return page === null ? passage : { ...passage, pageNumber: page };
}

/** A version 8 UUID out of the SHA-256 of its parts. */
function uuidOf(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
