import { bm25, inverseFrequency, type Totals } from '../../text/bm25.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import type { PassageLengths } from './passage-lengths.js';
import { stemOf } from './stems.js';

/** The passages in which a term stands, ascending, and what it adds to the score of each. */
export interface TermList {
  readonly passages: Uint32Array;
  readonly scores: Float64Array;
}

/** Postings that are kept at most, 12 bytes each. */
const MOST_KEPT = 2_000_000;

/** Terms whose frequency is kept at most. */
const MOST_COUNTED = 50_000;

/** How much more an occurrence in the breadcrumb counts than one in the text; tuned, see ARCHITECTURE.md. */
const BREADCRUMB_WEIGHT = 2;

/**
 * The lists of the terms that were asked last. BM25 is a sum over terms, so scores are put together from them. FTS5 tells
 * where a term stands four times as fast as it tells its `bm25()`, so that is reckoned here, to the same numbers; of phrases,
 * which are rare, FTS5 tells it. A term's weight depends on how many passages there are, so any change to the postings
 * makes all lists old.
 */
export class TermLists {
  readonly #database: Database;
  readonly #most: number;
  readonly #lengths: PassageLengths;
  readonly #ofPhrase: string;
  readonly #ofTerm: string;
  readonly #count: string;
  /** In the order in which they were asked last. */
  readonly #lists = new Map<string, TermList>();
  readonly #frequencies = new Map<string, number>();
  #kept = 0;
  #totals: Totals = { passages: 0, meanLength: 0 };

  /** Of a term's postings the first `most` are read and counted. */
  constructor(database: Database, { table, most, lengths }: { table: string; most: number; lengths: PassageLengths }) {
    this.#database = database;
    this.#most = most;
    this.#lengths = lengths;
    database.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_occurrences USING fts5vocab(main, ${table}, instance)`,
    );
    // Texts in the place of rows: the driver takes half a microsecond for a row.
    this.#ofTerm = `SELECT json_group_array(doc), group_concat(col = 'breadcrumb', '')
      FROM (SELECT doc, col FROM temp.${table}_occurrences WHERE term = ? LIMIT ?)`;
    this.#ofPhrase = `SELECT json_group_array(rowid), json_group_array(score) FROM (
        SELECT rowid, -bm25(${table}, ${BREADCRUMB_WEIGHT}, 1) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ${most})`;
    this.#count = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${most + 1})`;
  }

  /** To be called when the postings have changed. */
  clear(totals: Totals): void {
    this.#totals = totals;
    this.#lists.clear();
    this.#frequencies.clear();
    this.#kept = 0;
  }

  /** In how many passages a term or phrase stands: one more than are read where in more than those. */
  frequency(terms: string): number {
    const known = this.#frequencies.get(terms);
    if (known !== undefined) return known;
    const count = prepared<[string], [number]>(this.#database, this.#count).raw().get(quoted(terms))?.[0] ?? 0;
    if (this.#frequencies.size >= MOST_COUNTED) this.#frequencies.clear();
    this.#frequencies.set(terms, count);
    return count;
  }

  /** What a term, or several with a blank between them that must follow each other, adds to each passage. */
  of(terms: string): TermList {
    const list = this.#lists.get(terms) ?? this.#read(terms);
    this.#lists.delete(terms);
    this.#lists.set(terms, list);
    for (const [oldest, { passages }] of this.#lists) {
      if (this.#kept <= MOST_KEPT || oldest === terms) break;
      this.#lists.delete(oldest);
      this.#kept -= passages.length;
    }
    return list;
  }

  #read(terms: string): TermList {
    const list = terms.includes(' ') ? this.#phrase(terms) : this.#term(terms);
    this.#kept += list.passages.length;
    return list;
  }

  #phrase(terms: string): TermList {
    const row = prepared<[string], [string, string]>(this.#database, this.#ofPhrase).raw().get(quoted(terms));
    const [passages, scores] = (row ?? ['[]', '[]']).map((text) => JSON.parse(text)) as [number[], number[]];
    return { passages: Uint32Array.from(passages), scores: Float64Array.from(scores) };
  }

  #term(term: string): TermList {
    const { passages, occurrences } = this.#occurrences(stemOf(term));
    const weight = inverseFrequency(this.frequency(term), this.#totals);
    const { meanLength } = this.#totals;
    const lengths = this.#lengths.of(passages);
    const scores = occurrences.map((count, i) => bm25(count, { weight, length: lengths[i] ?? 0, meanLength }));
    return { passages: Uint32Array.from(passages), scores: Float64Array.from(scores) };
  }

  /** The passages in which a stem stands, ascending, and how often in each, by weight. */
  #occurrences(stem: string): { passages: number[]; occurrences: number[] } {
    const limit = 2 * this.#most;
    const row = prepared<[string, number], [string, string | null]>(this.#database, this.#ofTerm)
      .raw()
      .get(stem, limit);
    const all = JSON.parse(row?.[0] ?? '[]') as number[];
    const inBreadcrumb = row?.[1] ?? '';
    const [passages, occurrences]: [number[], number[]] = [[], []];
    for (const [i, passage] of all.entries()) {
      if (passage !== passages.at(-1)) {
        passages.push(passage);
        occurrences.push(0);
      }
      const last = occurrences.length - 1;
      occurrences[last] = (occurrences[last] ?? 0) + (inBreadcrumb[i] === '1' ? BREADCRUMB_WEIGHT : 1);
    }
    // Of the last one there may be more behind the limit.
    const kept = Math.min(this.#most, all.length === limit ? passages.length - 1 : passages.length);
    return { passages: passages.slice(0, kept), occurrences: occurrences.slice(0, kept) };
  }
}

/** What FTS5 takes for terms that follow each other, whatever they are made of. */
export function quoted(terms: string): string {
  return `"${terms.replaceAll('"', '""')}"`;
}
