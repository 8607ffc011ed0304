import { AnswerSize } from '../../domain/answer-size.js';
import { pathFilter } from '../../domain/filters/path-filter.js';
import type { EmbeddedPassage, FileSummary, Passage } from '../../domain/passage.js';
import type { FileText, PassageEmbedding, ReadOptions, StoreCounts } from '../../storage/passage-store.js';
import type { RankedCandidate, ReadResult, Retrieval } from '../../storage/retrieval.js';
import type { Connection } from '../connection/connection.js';
import { decodeVector, type StoredVector } from '../embeddings/stored-vector.js';
import { EXPIRED, EXPIRED_FILES, OUTDATED } from '../files/file-conditions.js';
import { SUMMARY, type SummaryRow, summaryOf } from '../files/files.js';
import { tagCondition } from '../files/tag-condition.js';
import { PASSAGE, type PassageRow } from './passage-row.js';
import { type Range, Windows } from './windows.js';

/** Where a ranked passage is. */
interface Place {
  readonly number: number;
  readonly file: number;
  readonly key: string;
  readonly position: number;
  readonly sum: number;
}

/** A passage with its file and its stored vector. */
interface EmbeddedRow extends PassageRow, Pick<StoredVector, 'hash' | 'vector'> {
  readonly fileId: string;
  readonly key: string;
  readonly vectorChecksum: StoredVector['checksum'];
}

/** An SQL condition over the table `files`, with the values to bind. */
type Condition = ReturnType<typeof tagCondition>;

/** Files whose passages searches must not find. A file that was never indexed has no pipeline, and no passages. */
const HIDDEN = `
  SELECT number FROM ${EXPIRED_FILES}
  UNION
  SELECT number FROM files
  WHERE +bot = ? AND status <> 'indexing_completed' AND ${OUTDATED} AND pipeline <> ''
    AND EXISTS (SELECT 1 FROM passages WHERE file = files.number)`;

/** Reads the passages of one bot's files. Call every method in a transaction. */
export class PassageReader {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #windows: Windows;
  /** The passages of the last filter: both retrievers need them, and the same filter is often used again. */
  #filtered: { readonly key: string; readonly numbers: Uint32Array | undefined } | undefined;

  constructor(connection: Connection, bot: number) {
    this.#connection = connection;
    this.#bot = bot;
    this.#windows = new Windows(connection);
  }

  /** The best of ranked passages, by sum, then key, then position. */
  read(ranked: readonly RankedCandidate[], { limit, perFile, context, ...filter }: ReadOptions): ReadResult {
    const sums = new Map(ranked.map(({ id, sum }) => [id, sum]));
    const places = this.#places(sums, filter);
    const best = (perFile === undefined ? places : firstOfEach(places, perFile)).slice(0, limit);
    const size = new AnswerSize('lower limit, or shorten the metadata of the files with updateFileMetadata');
    // The rows of files are checked with their texts, so before they are parsed.
    const windows = this.#windows.around(best, context);
    const files = new Set(best.map(({ file }) => file));
    const summaries = new Map(Array.from(files, (file) => [file, this.#summary(file, size)]));
    const passages = best.flatMap(({ number, file, position, sum }, i) => {
      const [summary, window] = [summaries.get(file), windows[i]];
      const passage = window?.passages.find((candidate) => candidate.position === position);
      return summary && window && passage ? [{ id: number, sum, passage, file: summary, window }] : [];
    });
    return { passages, missing: sums.size - places.length };
  }

  /** The passages of a file at some positions; none of a file that has expired, or whose content was replaced. */
  passages(fileId: string, range: Range): readonly Passage[] {
    const sql = `SELECT number FROM files WHERE id = ? AND bot = ? AND NOT ${EXPIRED} AND NOT ${OUTDATED}`;
    const file = this.#connection
      .cached<[string, number, string], { number: number }>(sql)
      .get(fileId, this.#bot, new Date().toISOString());
    return file ? this.#windows.passages(file.number, range) : [];
  }

  /** The embedding of a passage, by its id; undefined for one that searches do not find. Reads all ids of the bot. */
  embedding(id: string): PassageEmbedding | undefined {
    const row = this.#connection
      .cached<[number, string, string], Omit<StoredVector, 'vector'> & { vector: Buffer | null }>(
        `SELECT passages.number AS passage, embeddings.hash, vector, embeddings.checksum
         FROM files CROSS JOIN passages ON file = files.number CROSS JOIN embeddings ON embeddings.number = embedding
         WHERE bot = ? AND passages.id = ? AND NOT ${EXPIRED} AND NOT ${OUTDATED}`,
      )
      .get(this.#bot, id, new Date().toISOString());
    if (!row) return undefined;
    const { passage, vector } = row;
    return { id: passage, embedding: vector ? decodeVector(this.#connection, { ...row, vector }) : undefined };
  }

  /** The first passages that have an embedding, by key, then position. */
  embedded({ limit, ...filter }: Pick<Retrieval, 'tags' | 'paths' | 'limit'>): EmbeddedPassage[] {
    const only = this.matching(filter);
    const isWanted = only ? 'passages.number IN (SELECT value FROM json_each(@only))' : 'TRUE';
    // In the order of the index on keys, so that reading can stop at the limit.
    const rows = this.#connection
      .prepare<[object], EmbeddedRow>(
        `SELECT ${PASSAGE}, files.id AS fileId, key, embeddings.hash, vector, embeddings.checksum AS vectorChecksum
         FROM files CROSS JOIN passages ON file = files.number CROSS JOIN embeddings ON embeddings.number = embedding
         WHERE bot = @bot AND vector IS NOT NULL AND ${isWanted} ORDER BY key, position LIMIT @limit`,
      )
      .all({ bot: this.#bot, limit, only: JSON.stringify(Array.from(only ?? [])) });
    const passages = this.#windows.of(rows);
    return rows.map((row, i) => ({
      fileId: row.fileId,
      key: row.key,
      passage: passages[i] as Passage,
      embedding: decodeVector(this.#connection, { ...row, passage: row.number, checksum: row.vectorChecksum }),
    }));
  }

  /** A file with its text; undefined for one that has expired, or whose content was replaced or is not indexed. */
  text(key: string): FileText | undefined {
    const sql = `SELECT number, id, key, folder FROM files
      WHERE bot = ? AND key = ? AND searched AND pipeline <> '' AND NOT ${EXPIRED} AND NOT ${OUTDATED}`;
    const row = this.#connection
      .cached<[number, string, string], Omit<FileText, 'text'> & { number: number }>(sql)
      .get(this.#bot, key, new Date().toISOString());
    if (!row) return undefined;
    const { number, ...file } = row;
    return { ...file, text: this.#windows.text(number) };
  }

  /** The number of passages of the file of a key; 0 without one. */
  countOf(key: string): number {
    return this.#connection
      .cached<[number, string], number>(
        `SELECT coalesce(max(position), -1) + 1 FROM passages
         WHERE file = (SELECT number FROM files WHERE bot = ? AND key = ?)`,
      )
      .pluck()
      .get(this.#bot, key) as number;
  }

  /**
   * Numbers of the passages that searches may find and whose file passes the filter, ascending; undefined if those are
   * all passages.
   */
  matching({ tags = {}, paths = [] }: Pick<Retrieval, 'tags' | 'paths'>): Uint32Array | undefined {
    const condition = this.#withoutHidden(tagCondition(tags));
    if (condition.parameters.length === 0 && paths.length === 0) return undefined;
    const key = `${this.#connection.version()} ${JSON.stringify([paths, condition])}`;
    if (key === this.#filtered?.key) return this.#filtered.numbers;
    const numbers =
      paths.length === 0 ? this.#ofFiles(condition) : this.#ofFiles(this.#withPaths(condition, pathFilter(paths)));
    const areAll = numbers.length === this.count().passages;
    this.#filtered = { key, numbers: areAll ? undefined : Uint32Array.from(numbers) };
    return this.#filtered.numbers;
  }

  #ofFiles({ sql, parameters }: Condition): number[] {
    return this.#connection
      .prepare<unknown[], number>(
        `SELECT passages.number FROM passages JOIN files ON files.number = file
         WHERE files.bot = ? AND ${sql} ORDER BY passages.number`,
      )
      .pluck()
      .all(this.#bot, ...parameters);
  }

  /** Leaves out files that have expired but are not removed yet, and those whose content was replaced. */
  #withoutHidden({ sql, parameters }: Condition): Condition {
    const hidden = this.#connection
      .cached<[number, string, number], number>(HIDDEN)
      .pluck()
      .all(this.#bot, new Date().toISOString(), this.#bot);
    if (hidden.length === 0) return { sql, parameters };
    return {
      sql: `${sql} AND files.number NOT IN (SELECT value FROM json_each(?))`,
      parameters: [...parameters, JSON.stringify(hidden)],
    };
  }

  /** A condition for the files that match another condition and whose key passes a test. */
  #withPaths({ sql, parameters }: Condition, passes: (key: string) => boolean): Condition {
    const files = this.#connection
      .prepare<unknown[], { number: number; key: string }>(`SELECT number, key FROM files WHERE bot = ? AND ${sql}`)
      .all(this.#bot, ...parameters);
    const numbers = files.filter(({ key }) => passes(key)).map(({ number }) => number);
    return { sql: 'files.number IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(numbers)] };
  }

  count(): Pick<StoreCounts, 'passages' | 'embedded'> {
    // Counts the pending embeddings, which have an index: reading every embedding would take longer.
    const sql = `SELECT passages, passages - pending AS embedded FROM
         (SELECT count(*) AS passages FROM files JOIN passages ON file = files.number WHERE bot = @bot),
         (SELECT count(*) AS pending FROM embeddings CROSS JOIN passages ON embedding = embeddings.number
          JOIN files ON files.number = file WHERE vector IS NULL AND bot = @bot)`;
    const row = this.#connection.prepare<[object], Pick<StoreCounts, 'passages' | 'embedded'>>(sql);
    return row.get({ bot: this.#bot }) ?? { passages: 0, embedded: 0 };
  }

  /**
   * The places of the ranked passages that searches find now, best first. Texts are read only for the returned ones.
   */
  #places(sums: ReadonlyMap<number, number>, { tags = {}, paths = [] }: Pick<Retrieval, 'tags' | 'paths'>): Place[] {
    const condition = tagCondition(tags);
    const passes = pathFilter(paths);
    const sql = `SELECT passages.number, file, files.key, position FROM json_each(?) AS wanted
         JOIN passages ON passages.number = wanted.value JOIN files ON files.number = passages.file
         WHERE NOT ${EXPIRED} AND NOT ${OUTDATED} AND ${condition.sql}`;
    // Without a filter it is the same for each search.
    const query =
      condition.parameters.length === 0
        ? this.#connection.cached<unknown[], Omit<Place, 'sum'>>(sql)
        : this.#connection.prepare<unknown[], Omit<Place, 'sum'>>(sql);
    return query
      .all(JSON.stringify([...sums.keys()]), new Date().toISOString(), ...condition.parameters)
      .filter(({ key }) => passes(key))
      .map((row) => ({ ...row, sum: sums.get(row.number) ?? 0 }))
      .sort((a, b) => b.sum - a.sum || compare(a.key, b.key) || a.position - b.position);
  }

  /** Its bytes are counted before it is parsed, because an earlier version stored metadata of any size. */
  #summary(file: number, size: AnswerSize): FileSummary | undefined {
    const sql = `SELECT ${SUMMARY} FROM files WHERE number = ?`;
    const row = this.#connection.cached<[number], SummaryRow>(sql).get(file);
    if (!row) return undefined;
    size.addTexts(row.metadata, row.tags);
    return summaryOf(row);
  }
}

/** The first `count` places of each file. */
function firstOfEach(places: readonly Place[], count: number): Place[] {
  const taken = new Map<number, number>();
  return places.filter(({ file }) => {
    const before = taken.get(file) ?? 0;
    taken.set(file, before + 1);
    return before < count;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
