import type { LexicalQuery } from '../../storage/retrieval.js';
import { bm25, chooseTerms, inverseFrequency } from '../../text/bm25.js';
import type { Connection } from '../connection/connection.js';
import { fileTermChanges, fillFileTerms } from './file-terms.js';
import { withMerges } from './merges.js';
import { occurrencesIn, type PostingList, PostingLists } from './posting-lists.js';
import { createPostings, postingTable } from './posting-table.js';
import { PostingTotals, type Totals } from './posting-totals.js';
import { addScores, bestOf, type ScoredList } from './rank-postings.js';
import { TermCounts } from './term-counts.js';

/** The lexical candidates of a query, with the statistics that score the other candidates. */
export interface LexicalMatches {
  /** Passages with the best BM25, in no particular order. */
  readonly best: readonly number[];
  /** Passages with postings. */
  readonly passages: number;
  /** Mean length of a passage in terms. */
  readonly meanTerms: number;
  /** The number of passages that contain each term, then each phrase. */
  readonly frequencies: readonly number[];
  /** The lists of each term, then of each phrase; undefined for one that is not scored. */
  readonly lists: readonly (PostingList | undefined)[];
}

/**
 * The lexical index of one bot: an FTS5 table over analysed terms, without the texts. The terms are separated by spaces
 * and everything else is part of a term; FTS5's Porter stemmer reduces `retry` and `retries` to one term. Each bot has
 * its own table, since the files of another bot must not change the weight of a term.
 */
export class Postings {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #lists: PostingLists;
  readonly #totals: PostingTotals;
  readonly #termCounts: TermCounts;
  /** What the running `change` adds to the totals. */
  #delta: Totals = { passages: 0, terms: 0 };
  /** Counts changes by this connection. */
  #changes = 0;
  /**
   * The version that the cached lists are from: changes by this connection, and those of others as SQLite counts them.
   */
  #cachedVersion = '';
  #othersVersion: unknown;
  readonly #inPortions: boolean;

  /** The postings of a bot that has a posting table. Pass `inPortions` in a transaction that yields to other work. */
  constructor(connection: Connection, bot: number, { inPortions = false }: { readonly inPortions?: boolean } = {}) {
    this.#connection = connection;
    this.#inPortions = inPortions;
    this.#table = postingTable(bot);
    this.#totals = new PostingTotals(connection, { bot, table: this.#table });
    this.#termCounts = new TermCounts(connection, this.#table);
    this.#lists = new PostingLists(connection, { bot, table: this.#table });
  }

  /**
   * The postings of a bot. Creates what is missing: everything for a new bot, or what an earlier version did not write.
   */
  static async open(connection: Connection, bot: number): Promise<Postings> {
    const table = postingTable(bot);
    const totals = new PostingTotals(connection, { bot, table });
    if (!connection.hasTable(table) || !totals.areCounted()) {
      await connection.write(() => {
        connection.exec(createPostings(table));
        if (!totals.areCounted()) totals.recount();
      });
    }
    await fillFileTerms(connection, bot);
    return new Postings(connection, bot);
  }

  /** Runs work that puts and removes postings, and updates the totals; call it in a transaction. */
  *change(work: () => Generator<void>): Generator<void> {
    // Reset before the work, not after it: work that throws does not reach a reset at the end.
    this.#delta = { passages: 0, terms: 0 };
    yield* this.#inPortions ? withMerges(this.#connection, { table: this.#table, work }) : work();
    if (this.#delta.passages !== 0 || this.#delta.terms !== 0) this.#totals.add(this.#delta);
  }

  /** Sets the postings of a passage; call it in `change`. */
  put(passage: number, { breadcrumb, text }: { readonly breadcrumb: string; readonly text: string }): void {
    this.#subtract(passage);
    this.#connection
      .cached<[number, string, string]>(
        `INSERT OR REPLACE INTO ${this.#table} (rowid, breadcrumb, text) VALUES (?, ?, ?)`,
      )
      .run(passage, breadcrumb, text);
    this.#delta = {
      passages: this.#delta.passages + 1,
      terms: this.#delta.terms + (this.#totals.termsOf(passage) ?? 0),
    };
  }

  /** Removes the postings of a passage; call it in `change`. */
  remove(passage: number): void {
    this.#subtract(passage);
    this.#connection.cached<[number]>(`DELETE FROM ${this.#table} WHERE rowid = ?`).run(passage);
  }

  /** Passages with postings. */
  size(): number {
    return this.#totals.get().passages;
  }

  /** Counts the totals again; for postings that were written without `put`. Needs a transaction. */
  recount(): void {
    this.#changes += 1;
    this.#totals.recount();
  }

  /** Finds the passages with the best BM25, among those of `only` (ascending) if it is given. */
  search(
    { terms, phrases }: LexicalQuery,
    { limit, only }: { readonly limit: number; readonly only?: Uint32Array | undefined },
  ): LexicalMatches {
    this.#refresh();
    const { passages, terms: allTerms } = this.#totals.get();
    const meanTerms = allTerms / Math.max(1, passages);
    const termFrequencies = terms.map((term) => this.#lists.frequency(term));
    const joined = phrases.map((phrase) => phrase.join(' '));
    const phraseFrequencies = joined.map((phrase) => this.#lists.frequency(phrase));
    const chosen = new Set(chooseTerms(termFrequencies, passages));
    const listOf = (name: string) =>
      only && this.#lists.isCut(name) ? this.#lists.within(name, only) : this.#lists.of(name);
    const lists = [
      ...terms.map((term, i) => (chosen.has(i) ? listOf(term) : undefined)),
      // A phrase that occurs nowhere counts only as its words.
      ...joined.map((phrase, i) => (phraseFrequencies[i] === 0 ? undefined : listOf(phrase))),
    ];
    const frequencies = [...termFrequencies, ...phraseFrequencies];
    const scored = lists.map((list, i) => {
      if (!list) return undefined;
      const weight = inverseFrequency(frequencies[i] ?? 0, passages);
      return this.#score(list, { weight, meanTerms });
    });
    const required = scored.slice(terms.length).filter((list) => list !== undefined);
    const optional = [...chosen].map((i) => scored[i]).filter((list) => list !== undefined);
    const sums = addScores([...required, ...optional], { required: required.length });
    return { best: bestOf(sums, { limit, only }), passages, meanTerms, frequencies, lists };
  }

  /** How often each scored term, then each phrase, occurs in each passage. */
  occurrences({ terms, phrases }: LexicalQuery, { lists }: LexicalMatches, passages: readonly number[]): number[][] {
    // A cut list does not contain all passages of its term.
    const others = [...terms, ...phrases.map((phrase) => phrase.join(' '))].map((name, i) =>
      lists[i] && this.#lists.isCut(name) ? this.#lists.among(name, passages) : undefined,
    );
    return passages.map((passage) =>
      lists.map((list, i) => (list && occurrencesIn(list, passage)) || Number(others[i]?.has(passage) ?? false)),
    );
  }

  /** The lengths of some passages in terms. */
  termCounts(passages: readonly number[]): number[] {
    this.#termCounts.load(passages);
    return passages.map((passage) => this.#termCounts.get(passage));
  }

  #score(
    list: PostingList,
    { weight, meanTerms }: { readonly weight: number; readonly meanTerms: number },
  ): ScoredList {
    const { passages, occurrences } = list;
    if (list.scores) return { passages, scores: list.scores };
    this.#termCounts.load(passages);
    const scores = new Float64Array(passages.length);
    // A loop, because mapping a typed array takes several times as long.
    for (let i = 0; i < scores.length; i++) {
      const terms = this.#termCounts.get(passages[i] as number);
      scores[i] = bm25(occurrences[i] as number, { weight, terms, meanTerms });
    }
    list.scores = scores;
    return { passages, scores };
  }

  /** Subtracts a passage from the totals before its postings change. */
  #subtract(passage: number): void {
    this.#changes += 1;
    this.#termCounts.forget(passage);
    const terms = this.#totals.termsOf(passage);
    if (terms !== undefined) this.#delta = { passages: this.#delta.passages - 1, terms: this.#delta.terms - terms };
  }

  /** Drops what was cached before the last change, by this connection or another. */
  #refresh(): void {
    const others = this.#connection.pragma('data_version');
    const version = `${this.#changes} ${fileTermChanges(this.#connection)} ${others}`;
    if (version === this.#cachedVersion) return;
    if (others !== this.#othersVersion) this.#termCounts.clear();
    this.#othersVersion = others;
    this.#lists.clear();
    this.#cachedVersion = version;
  }
}
