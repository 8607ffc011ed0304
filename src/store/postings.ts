import type { Neighbour } from '../passage.js';
import type { LexicalQuery, Matching } from '../passage-store.js';
import type { Database, Statement } from './database.js';
import { prepared } from './prepared.js';

/** How much more a term of the breadcrumb counts than one of the text; tuned, see ARCHITECTURE.md. */
const BREADCRUMB_WEIGHT = 2;

/** BM25's k1 in FTS5: a term scores at most its inverse document frequency times k1 + 1. */
const K1 = 1.2;

/** Postings that a query reads at most, rarest terms first: about 15 ms, whatever the number of passages. */
const MOST_POSTINGS = 20_000;

/**
 * The lexical index of one bot: FTS5 over terms, contentless. The texts come analysed, with blanks between terms, so
 * everything else is part of a term; the porter stemmer makes one of `retry` and `retries`.
 */
export class Postings {
  readonly #database: Database;
  readonly #table: string;
  /** Prepared once: a large file has hundreds of passages. */
  #put: Statement<[number, string, string]> | undefined;

  constructor(database: Database, bot: number) {
    this.#database = database;
    this.#table = `postings_${bot}`;
    const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(this.#table);
    if (exists) return;
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${this.#table} USING fts5(
         breadcrumb, text, content = '', contentless_delete = 1,
         tokenize = "porter unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'")`,
    );
  }

  put(passage: number, { breadcrumb, text }: { breadcrumb: string; text: string }): void {
    this.#put ??= this.#database.prepare(
      `INSERT OR REPLACE INTO ${this.#table} (rowid, breadcrumb, text) VALUES (?, ?, ?)`,
    );
    this.#put.run(passage, breadcrumb, text);
  }

  remove(passage: number): void {
    this.#database.prepare(`DELETE FROM ${this.#table} WHERE rowid = ?`).run(passage);
  }

  /** The best matches, of `only` where that is given, and the scores of the passages in `also`. */
  matching(
    query: LexicalQuery,
    { limit, only, also }: { limit: number; only?: Uint32Array | undefined; also: readonly number[] },
  ): Matching {
    const { expression, ceiling } = this.#expression(query);
    if (expression === undefined) return { ceiling: 0, neighbours: [], scores: also.map(() => 0) };
    const neighbours = this.#scored(expression, { only: only && [...only], limit });
    const scores = new Map(neighbours.map(({ id, score }) => [id, score]));
    const missing = also.filter((passage) => !scores.has(passage));
    for (const { id, score } of this.#scored(expression, { only: missing, limit: -1 })) scores.set(id, score);
    return { ceiling, neighbours, scores: also.map((passage) => scores.get(passage) ?? 0) };
  }

  /** Which of the terms stand in each of the passages, in their order. */
  termsIn(terms: readonly string[], passages: readonly number[]): string[][] {
    const wanted = JSON.stringify(passages);
    const select = this.#database
      .prepare<[string, string], number>(
        `SELECT rowid FROM ${this.#table} WHERE ${this.#table} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
      )
      .pluck();
    const found = terms.map((term) => ({ term, passages: new Set(select.all(quoted(term), wanted)) }));
    return passages.map((passage) => found.filter(({ passages }) => passages.has(passage)).map(({ term }) => term));
  }

  /** BM25 scores, best first, of `only` where that is given. */
  #scored(expression: string, { only, limit }: { only: readonly number[] | undefined; limit: number }): Neighbour[] {
    if (only?.length === 0) return [];
    // The plus keeps SQLite from asking the index once a row.
    const among = only ? `AND +rowid IN (SELECT value FROM json_each(?))` : '';
    return prepared<unknown[], Neighbour>(
      this.#database,
      `SELECT id, score FROM (
         SELECT rowid AS id, -bm25(${this.#table}, ${BREADCRUMB_WEIGHT}, 1) AS score FROM ${this.#table}
         WHERE ${this.#table} MATCH ? ${among} LIMIT ${MOST_POSTINGS})
       ORDER BY score DESC, id LIMIT ?`,
    ).all(expression, ...(only ? [JSON.stringify(only)] : []), limit);
  }

  /** What FTS5 is asked for, every term quoted; nothing where no term tells passages apart. */
  #expression({ terms, phrases }: LexicalQuery): { expression: string | undefined; ceiling: number } {
    const count =
      prepared<[], { count: number }>(this.#database, `SELECT count(*) AS count FROM ${this.#table}_docsize`).get()
        ?.count ?? 0;
    const known = terms
      .map((term) => ({ term: quoted(term), frequency: this.#frequency(quoted(term)) }))
      .sort((a, b) => a.frequency - b.frequency);
    // Terms that stand nowhere count here: who asks for what the files do not speak of is not answered by the rest.
    const ceiling = known.reduce((sum, { frequency }) => sum + weight(frequency, count) * (K1 + 1), 0);
    const asked: string[] = [];
    let postings = 0;
    for (const { term, frequency } of known) {
      postings += frequency;
      if (postings > MOST_POSTINGS && asked.length > 0) break;
      // A term in most passages tells them apart in nothing.
      if (frequency > 0 && frequency <= Math.max(count / 2, 1)) asked.push(term);
    }
    // Of what stands nearly everywhere, the rarest is better than nothing.
    const [rarest] = known.filter(({ frequency }) => frequency > 0);
    if (asked.length === 0 && rarest) asked.push(rarest.term);
    const required = phrases.map(quotedPhrase).filter((phrase) => this.#frequency(phrase) > 0);
    const parts = [...required, ...(asked.length > 0 ? [`(${asked.join(' OR ')})`] : [])];
    return { expression: parts.length > 0 ? parts.join(' AND ') : undefined, ceiling };
  }

  /** In how many passages a term or phrase stands, counted up to the most that would be read. */
  #frequency(expression: string): number {
    const row = prepared<[string, number], { count: number }>(
      this.#database,
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${this.#table} WHERE ${this.#table} MATCH ? LIMIT ?)`,
    ).get(expression, MOST_POSTINGS + 1);
    return row?.count ?? 0;
  }
}

/** Inverse document frequency as FTS5 has it. */
function weight(frequency: number, count: number): number {
  return Math.max(1e-6, Math.log((count - frequency + 0.5) / (frequency + 0.5)));
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function quotedPhrase(terms: readonly string[]): string {
  return quoted(terms.join(' '));
}
