import type { LexicalQuery, Matching } from '../../storage/passage-store.js';
import { inverseFrequency, MOST_OCCURRENCES } from '../../text/bm25.js';
import type { Database, Statement } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { PassageLengths } from './passage-lengths.js';
import { createPostings } from './posting-table.js';
import { PostingTotals } from './posting-totals.js';
import { quoted, type TermList, TermLists } from './term-lists.js';
import { best, scoreIn, summed } from './term-scores.js';

/** Postings that a query reads at most, rarest terms first: about 2 ms, whatever the number of passages. */
const MOST_POSTINGS = 5_000;

interface Scored {
  readonly ceiling: number;
  readonly scores: TermList;
}

/**
 * The lexical index of one bot: FTS5 over terms, contentless. The texts come analysed, with blanks between terms, so
 * everything else is part of a term; the porter stemmer makes one of `retry` and `retries`.
 */
export class Postings {
  readonly #database: Database;
  readonly #table: string;
  readonly #lists: TermLists;
  readonly #totals: PostingTotals;
  readonly #lengths: PassageLengths;
  /** By query, for as long as whoever asks has it. */
  #asked = new WeakMap<LexicalQuery, Scored>();
  #count = 0;
  /** Changes made here, and with those of others what the lists were read at. */
  #changes = 0;
  #version = '';
  /** Changes made by others, as SQLite counts them. */
  #others: unknown;
  /** Prepared once: a large file has hundreds of passages. */
  #put: Statement<[number, string, string]> | undefined;

  constructor(database: Database, bot: number) {
    this.#database = database;
    this.#table = `postings_${bot}`;
    const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(this.#table);
    if (!exists) database.exec(createPostings(this.#table));
    this.#totals = new PostingTotals(database, this.#table);
    this.#lengths = new PassageLengths(database, this.#table);
    this.#lists = new TermLists(database, { table: this.#table, most: MOST_POSTINGS, lengths: this.#lengths });
  }

  /** To be called in `change`. */
  put(passage: number, { breadcrumb, text }: { breadcrumb: string; text: string }): void {
    this.#put ??= this.#database.prepare(
      `INSERT OR REPLACE INTO ${this.#table} (rowid, breadcrumb, text) VALUES (?, ?, ?)`,
    );
    this.#changes += 1;
    this.#lengths.forget(passage);
    this.#totals.leaving(passage);
    this.#put.run(passage, breadcrumb, text);
  }

  /** To be called in `change`. */
  remove(passage: number): void {
    this.#changes += 1;
    this.#lengths.forget(passage);
    this.#totals.leaving(passage);
    this.#database.prepare(`DELETE FROM ${this.#table} WHERE rowid = ?`).run(passage);
  }

  /** Puts and removes in a transaction, so that the weights after it are those of the postings there are. */
  change(work: () => void): void {
    this.#totals.change(work);
  }

  /** Puts weights right that an earlier version left wrong. */
  recount(): void {
    this.#changes += 1;
    this.#totals.recount();
  }

  /** The best matches, of `only`, ascending, where that is given. */
  matching(query: LexicalQuery, { limit, only }: { limit: number; only?: Uint32Array | undefined }): Matching {
    const { ceiling, scores } = this.#scored(query);
    return { ceiling, neighbours: best(scores, { limit, only }) };
  }

  /** BM25 scores of given passages, in their order; 0 for one that does not match. */
  scores(query: LexicalQuery, passages: readonly number[]): number[] {
    const { scores } = this.#scored(query);
    return passages.map((passage) => scoreIn(scores, passage));
  }

  /** Passages with postings. */
  size(): number {
    this.#look();
    return this.#count;
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

  /** BM25 of every passage that matches; asked twice for one query, it is put together once. */
  #scored(query: LexicalQuery): Scored {
    this.#look();
    const known = this.#asked.get(query);
    if (known) return known;
    const { asked, required, ceiling } = this.#expressions(query);
    const lists = [...required, ...asked].map((expression) => this.#lists.of(expression));
    const scored = { ceiling, scores: summed(lists, { required: required.length }) };
    this.#asked.set(query, scored);
    return scored;
  }

  /** Forgets what was read before the last change, whoever made it. */
  #look(): void {
    const others = this.#database.pragma('data_version', { simple: true });
    const version = `${this.#changes} ${others}`;
    if (version === this.#version) return;
    if (others !== this.#others) this.#lengths.clear();
    this.#others = others;
    this.#lists.clear(this.#totals.get());
    this.#asked = new WeakMap();
    this.#count =
      prepared<[], { count: number }>(this.#database, `SELECT count(*) AS count FROM ${this.#table}_docsize`).get()
        ?.count ?? 0;
    // Last: where the count could not be read it is read again.
    this.#version = version;
  }

  /** What FTS5 is asked for, every term quoted: the rarest terms, and phrases that must stand there. */
  #expressions({ terms, phrases }: LexicalQuery): { asked: string[]; required: string[]; ceiling: number } {
    const known = terms
      .map((term) => ({ term, frequency: this.#lists.frequency(term) }))
      .sort((a, b) => a.frequency - b.frequency);
    const count = this.#count;
    // Terms that stand nowhere count here: who asks for what the files do not speak of is not answered by the rest.
    const ceiling = known.reduce(
      (sum, { frequency }) => sum + inverseFrequency(frequency, { passages: count }) * MOST_OCCURRENCES,
      0,
    );
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
    const required = phrases.map((phrase) => phrase.join(' ')).filter((phrase) => this.#lists.frequency(phrase) > 0);
    return { asked, required, ceiling };
  }
}
