import type { LexicalQuery } from '../../storage/retrieval.js';
import { BREADCRUMB_WEIGHT, bm25, chooseTerms, FILE_WEIGHT, inverseFrequency } from '../../text/bm25.js';
import type { PassageProperties } from './passage-object.js';
import type { Frequency, Totals } from './term-frequencies.js';

/** The words of a query with what the collection says of them. */
export interface QueryWords {
  /** Of each term of the query. */
  readonly stems: readonly string[];
  readonly frequencies: readonly Frequency[];
  readonly phrases: readonly {
    /** Stems, separated by spaces. */
    readonly text: string;
    readonly frequency: number;
  }[];
  /** As of when. */
  readonly totals: Totals;
}

type Words = Pick<PassageProperties, 'breadcrumbTerms' | 'textTerms' | 'fileTerms'>;

/** Counts and scores the words of a query in passages, as the embedded engine does. */
export class LexicalMatcher {
  readonly #query: QueryWords;
  /** Indexes of the terms that passages are scored by. */
  readonly #chosen: ReadonlySet<number>;
  /** Indexes, after those of the terms, of phrases that a passage must have. */
  readonly #required: readonly number[];
  /** What passages are scored by: the index and the weight of each term and phrase. */
  readonly #weights: readonly { readonly index: number; readonly weight: number }[];
  /** Of each term, then each phrase; of a term in no passage, those whose files it names. */
  readonly frequencies: readonly number[];
  readonly meanTerms: number;

  constructor(query: QueryWords) {
    this.#query = query;
    this.frequencies = [
      ...query.frequencies.map(({ passages, named }) => (passages === 0 ? named : passages)),
      ...query.phrases.map(({ frequency }) => frequency),
    ];
    this.meanTerms = query.totals.terms / Math.max(1, query.totals.passages);
    this.#chosen = new Set(chooseTerms(this.frequencies.slice(0, query.stems.length), query.totals.passages));
    // A phrase that occurs nowhere counts only as its words.
    this.#required = [...query.phrases.keys()]
      .filter((i) => (query.phrases[i]?.frequency ?? 0) > 0)
      .map((i) => i + query.stems.length);
    this.#weights = [...this.#required, ...this.#chosen].map((index) => ({
      index,
      weight: inverseFrequency(this.frequencies[index] ?? 0, query.totals.passages),
    }));
  }

  /** The stems that find candidates. */
  get searched(): string[] {
    return [...this.#chosen].map((i) => this.#query.stems[i] as string);
  }

  /** Differs between matchers that need other candidates. */
  get searches(): string {
    return JSON.stringify([this.searched, this.#required]);
  }

  /** How often each scored term, then each phrase, occurs in a passage; see `Candidate`. */
  occurrences(words: Words): number[] {
    const { stems, frequencies, phrases } = this.#query;
    const [breadcrumb, text, names] = [words.breadcrumbTerms, words.textTerms, words.fileTerms].map(
      (terms) => ` ${terms} `,
    ) as [string, string, string];
    const ofTerms = stems.map((stem, i) => {
      if (!this.#chosen.has(i)) return 0;
      const inText = BREADCRUMB_WEIGHT * countOf(stem, breadcrumb) + countOf(stem, text);
      const isNamed = (frequencies[i]?.named ?? 0) > 0 && names.includes(` ${stem} `);
      return inText + (isNamed ? FILE_WEIGHT : 0);
    });
    const ofPhrases = phrases.map(({ text: phrase }) => {
      const wanted = ` ${phrase} `;
      return (breadcrumb.includes(wanted) ? BREADCRUMB_WEIGHT : 0) + (text.includes(wanted) ? 1 : 0);
    });
    return [...ofTerms, ...ofPhrases];
  }

  /** The BM25 of a passage with these occurrences; 0 for one that does not match. */
  score(occurrences: readonly number[], terms: number): number {
    if (this.#required.some((i) => occurrences[i] === 0)) return 0;
    const { meanTerms } = this;
    return this.#weights.reduce((sum, { index, weight }) => {
      return sum + bm25(occurrences[index] ?? 0, { weight, terms, meanTerms });
    }, 0);
  }
}

/** The stems of a query's terms and phrases. */
export function stemmed(
  { terms, phrases }: LexicalQuery,
  stem: (term: string) => string,
): { readonly stems: string[]; readonly phrases: string[] } {
  return { stems: terms.map(stem), phrases: phrases.map((phrase) => phrase.map(stem).join(' ')) };
}

/** How often a stem occurs among stems with a space on each side. */
function countOf(stem: string, padded: string): number {
  let count = 0;
  // The space between two occurrences belongs to both.
  for (let at = padded.indexOf(` ${stem} `); at >= 0; at = padded.indexOf(` ${stem} `, at + stem.length + 1)) count++;
  return count;
}
