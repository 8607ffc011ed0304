import { BREADCRUMB_WEIGHT, FILE_WEIGHT, MAX_NAMED_PASSAGES, POSTING_BUDGET } from '../../text/bm25.js';
import type { Connection } from '../connection/connection.js';
import { quoted } from './posting-table.js';
import { addScores, intersect, lowerBound, type ScoredList } from './rank-postings.js';
import { stemOf } from './stems.js';

/** The passages in which a term or phrase occurs, ascending, and how often in each, weighted by field. */
export interface PostingList {
  readonly passages: Uint32Array;
  readonly occurrences: Float32Array;
  /** The BM25 of the term in each passage, once computed; valid until the postings change. */
  scores?: Float64Array;
}

/** Occurrences read for each passage of a term, on average: 7 ms for a list of the most passages. */
const OCCURRENCES = 10;

/** Maximum number of cached postings, 16 bytes each. */
const CACHED_POSTINGS = 2_000_000;

/** Maximum number of cached frequencies. */
const CACHED_FREQUENCIES = 50_000;

/** The passages of the files that a term names, in any order; at most one more than `MAX_NAMED_PASSAGES`. */
const NAMED = `SELECT json_group_array(number) FROM (
  SELECT passages.number FROM file_terms JOIN passages ON passages.file = file_terms.file
  WHERE bot = ? AND term = ? LIMIT ${MAX_NAMED_PASSAGES + 1})`;

/**
 * The posting lists of a bot; those used last are cached until the postings change. Lists are read from FTS5's
 * vocabulary, as two strings instead of one row per posting: each row takes the driver half a microsecond.
 */
export class PostingLists {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #ofTerm: string;
  readonly #passages: string;
  readonly #count: string;
  readonly #among: string;
  /** Least recently used first. */
  readonly #lists = new Map<string, PostingList>();
  readonly #frequencies = new Map<string, number>();
  #cached = 0;

  constructor(connection: Connection, { bot, table }: { readonly bot: number; readonly table: string }) {
    this.#connection = connection;
    this.#bot = bot;
    connection.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_occurrences USING fts5vocab(main, ${table}, instance)`,
    );
    this.#ofTerm = `SELECT json_group_array(doc), group_concat(col = 'breadcrumb', '')
      FROM (SELECT doc, col FROM temp.${table}_occurrences WHERE term = ? LIMIT ?)`;
    // FTS5 seeks rows by integers only, and the driver binds every number as a float.
    this.#passages = `SELECT json_group_array(rowid) FROM (
      SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid >= CAST(? AS INTEGER)
      ORDER BY rowid LIMIT ${POSTING_BUDGET})`;
    this.#among = `SELECT value FROM json_each(?) AS asked
      WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = asked.value)`;
    this.#count = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${POSTING_BUDGET + 1})`;
  }

  /** Call it when the postings have changed. */
  clear(): void {
    this.#lists.clear();
    this.#frequencies.clear();
    this.#cached = 0;
  }

  /**
   * The number of passages that contain a term or phrase; counting stops above the budget. For a term that no passage
   * contains, the number of passages whose files it names.
   */
  frequency(terms: string): number {
    const known = this.#frequencies.get(terms);
    if (known !== undefined) return known;
    const found = this.#connection.cached<[string], number>(this.#count).pluck().get(quoted(terms)) ?? 0;
    const count = found === 0 ? this.#named(terms).length : found;
    if (this.#frequencies.size >= CACHED_FREQUENCIES) this.#frequencies.clear();
    this.#frequencies.set(terms, count);
    return count;
  }

  /** The first `POSTING_BUDGET` postings of a term, or of a phrase: terms with a space between them. */
  of(terms: string): PostingList {
    const known = this.#lists.get(terms);
    const list = known ?? (terms.includes(' ') ? this.#oncePerField(terms) : this.#term(terms));
    if (!known) this.#cached += list.passages.length;
    this.#lists.delete(terms);
    this.#lists.set(terms, list);
    for (const [oldest, { passages }] of this.#lists) {
      if (this.#cached <= CACHED_POSTINGS || oldest === terms) break;
      this.#lists.delete(oldest);
      this.#cached -= passages.length;
    }
    return list;
  }

  /** Whether a term or phrase has more postings than `of` returns. */
  isCut(terms: string): boolean {
    return this.frequency(terms) > POSTING_BUDGET;
  }

  /**
   * The postings of a term or phrase in the passages `only`, ascending: those that `of` returns, and further ones up to
   * the budget, each counted as one occurrence, as `among` does. Thus a filter changes no score. Not cached.
   */
  within(terms: string, only: Uint32Array): PostingList {
    const whole = this.of(terms);
    const beyond = this.#matchingWithin(quoted(terms), only).filter((passage) => occurrencesIn(whole, passage) === 0);
    const once = { passages: Uint32Array.from(beyond), scores: new Float64Array(beyond.length).fill(1) };
    return sumOf(intersect(scoredOf(whole), only), once);
  }

  /** Which of some passages contain a term or phrase. */
  among(terms: string, passages: readonly number[]): Set<number> {
    const select = this.#connection.cached<[string, string], number>(this.#among).pluck();
    return new Set(select.all(JSON.stringify(passages), quoted(terms)));
  }

  /** Counts a term or phrase once in each field: FTS5 does not report how often a phrase occurs. */
  #oncePerField(terms: string): PostingList {
    const passages = this.#matching(quoted(terms), 0);
    const [inBreadcrumb, inText] = ['breadcrumb', 'text'].map(
      (field) => new Set(this.#matching(`${field} : ${quoted(terms)}`, 0)),
    );
    const occurrences = passages.map(
      (passage) => (inBreadcrumb?.has(passage) ? BREADCRUMB_WEIGHT : 0) + (inText?.has(passage) ? 1 : 0),
    );
    return { passages: Uint32Array.from(passages), occurrences: Float32Array.from(occurrences, (n) => Math.max(1, n)) };
  }

  /** The first `POSTING_BUDGET` passages, from a given one on, that match an FTS5 expression; ascending. */
  #matching(expression: string, from: number): number[] {
    const select = this.#connection.cached<[string, number], string>(this.#passages).pluck();
    return JSON.parse(select.get(expression, from) ?? '[]');
  }

  /** The first `POSTING_BUDGET` passages, of some ascending ones, that match an FTS5 expression. */
  #matchingWithin(expression: string, only: Uint32Array): number[] {
    const found: number[] = [];
    let next: number | undefined = only[0];
    while (next !== undefined && found.length < POSTING_BUDGET) {
      const page = this.#matching(expression, next);
      found.push(...page.filter((passage) => only[lowerBound(only, passage)] === passage));
      const last = page.at(-1) ?? 0;
      next = page.length < POSTING_BUDGET ? undefined : only[lowerBound(only, last + 1)];
    }
    return found.slice(0, POSTING_BUDGET);
  }

  #term(term: string): PostingList {
    const frequency = this.frequency(term);
    const limit = Math.max(2 * POSTING_BUDGET, frequency > POSTING_BUDGET ? 0 : OCCURRENCES * frequency);
    const select = this.#connection.cached<[string, number], [string, string | null]>(this.#ofTerm).raw();
    const [documents, columns] = select.get(stemOf(term), limit) ?? ['[]', null];
    const all = JSON.parse(documents) as number[];
    const inBreadcrumb = columns ?? '';
    const [passages, occurrences]: [number[], number[]] = [[], []];
    for (const [i, passage] of all.entries()) {
      if (passage !== passages.at(-1)) {
        passages.push(passage);
        occurrences.push(0);
      }
      const last = occurrences.length - 1;
      occurrences[last] = (occurrences[last] ?? 0) + (inBreadcrumb[i] === '1' ? BREADCRUMB_WEIGHT : 1);
    }
    // The last passage may have more occurrences beyond the limit, and other passages may be beyond it.
    if (all.length === limit && passages.length <= POSTING_BUDGET) {
      return this.#withNamed(term, this.#oncePerField(term));
    }
    const list = {
      passages: Uint32Array.from(passages.slice(0, POSTING_BUDGET)),
      occurrences: Float32Array.from(occurrences.slice(0, POSTING_BUDGET)),
    };
    return this.#withNamed(term, list);
  }

  /**
   * Adds the passages whose files a term names. If such a passage contains the term but is beyond the cut list, the
   * term counts as occurring once in it.
   */
  #withNamed(term: string, list: PostingList): PostingList {
    const named = this.#named(term);
    if (named.length === 0) return list;
    const others = Array.from(named).filter((passage) => occurrencesIn(list, passage) === 0);
    const beyond = this.isCut(term) ? this.among(term, others) : new Set<number>();
    const weights = Float64Array.from(named, (passage) => FILE_WEIGHT + Number(beyond.has(passage)));
    return sumOf(scoredOf(list), { passages: named, scores: weights });
  }

  /** The passages of the files that a term names, ascending; none for a phrase, or if there are too many. */
  #named(term: string): Uint32Array {
    if (term.includes(' ')) return new Uint32Array();
    const select = this.#connection.cached<[number, string], string>(NAMED).pluck();
    const passages = Uint32Array.from(JSON.parse(select.get(this.#bot, stemOf(term)) ?? '[]'));
    return passages.length > MAX_NAMED_PASSAGES ? new Uint32Array() : passages.sort();
  }
}

/** A list whose scores are its occurrences, to be added. */
function scoredOf({ passages, occurrences }: PostingList): ScoredList {
  return { passages, scores: Float64Array.from(occurrences) };
}

/** The passages of either list, with the sums of their occurrences. */
function sumOf(...lists: readonly ScoredList[]): PostingList {
  const { passages, scores } = addScores(lists, { required: 0 });
  return { passages, occurrences: Float32Array.from(scores) };
}

/** How often the term of a list occurs in a passage. */
export function occurrencesIn({ passages, occurrences }: PostingList, passage: number): number {
  const place = lowerBound(passages, passage);
  return passages[place] === passage ? (occurrences[place] as number) : 0;
}
