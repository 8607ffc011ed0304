import type { FilterValue } from 'weaviate-client';
import type { Candidate, LexicalQuery, Retrieval, Retrieved } from '../../storage/retrieval.js';
import { type OnStage, timed } from '../../storage/search-stage.js';
import type { Finder } from '../connection/cluster.js';
import type { Objects } from '../connection/objects.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Hidden, HiddenPassages } from '../files/hidden-passages.js';
import { pathCondition } from '../schema/path-filters.js';
import { filePlace, placesNamed } from '../schema/places.js';
import { tagFilters } from '../schema/tag-filters.js';
import type { Candidates } from './candidates.js';
import { LexicalMatcher, type QueryWords, stemmed } from './lexical-candidates.js';
import type { FoundCandidate, PassageObjects } from './passage-objects.js';
import type { TermFrequencies, Totals } from './term-frequencies.js';

/** The most passages with all words of a phrase that are read to find those that have it. */
const PHRASE_PASSAGES = 2000;

/** The share of the candidates of a retriever that may be hidden; if more are, others are looked for. */
const MOST_HIDDEN = 1 / 10;

/** Each change of the words that candidates are found by makes one more attempt; few changes do. */
const MAX_ATTEMPTS = 3;

/** What a retriever reads. */
export interface RetrieverParts {
  readonly objects: PassageObjects;
  readonly heads: FileHeads;
  readonly frequencies: TermFrequencies;
  readonly hiddenPassages: HiddenPassages;
  readonly candidates: Candidates;
  readonly stem: (term: string) => string;
  /** Part of each round trip that finds candidates. Throws `MODEL_MISMATCH`, `BOT_MISSING`. */
  readonly checkModel: (find: Finder) => Promise<void>;
  readonly onStage: OnStage | undefined;
}

/** What one round trip of a search finds. */
interface Found {
  readonly nearest: readonly FoundCandidate[];
  readonly byWords: readonly FoundCandidate[];
  readonly totals: Totals;
  readonly hidden: Hidden;
}

/** A passage that stays a candidate. */
interface Kept {
  readonly passage: FoundCandidate;
  readonly occurrences: readonly number[];
}

/**
 * Finds the candidates of a query. While the query is embedded, the frequencies of its words are counted, unless they
 * are known; then one round trip finds the candidates of both retrievers.
 */
export class WeaviateRetriever {
  readonly #parts: RetrieverParts;

  constructor(parts: RetrieverParts) {
    this.#parts = parts;
  }

  async retrieve(query: Retrieval): Promise<Retrieved> {
    const { frequencies, onStage } = this.#parts;
    const { lexical, limit } = query;
    // At once: a rejection that nothing awaits yet would end the process.
    const [embedding, first, condition] = await Promise.all([
      query.embedding,
      lexical && frequencies.lastTotals().then((totals) => this.#queryWords(lexical, totals)),
      this.#filters(query),
    ]);
    let queryWords = first;
    let passing = condition;
    for (let attempt = 1; ; attempt++) {
      const before = queryWords && new LexicalMatcher(queryWords);
      const find = () =>
        this.#find({ embedding, queryWords, words: before?.searched ?? [], limit, condition: passing });
      const found = await timed(find, { stage: 'vectors', onStage });
      // Something may have changed since the frequencies were counted: everything must be of one state.
      queryWords = lexical && (await this.#queryWords(lexical, found.totals));
      const matcher = queryWords && new LexicalMatcher(queryWords);
      const isCrowded = passing === condition && isCrowdedOut(found, limit);
      if (isCrowded) passing = this.#without(found.hidden, condition);
      if ((isCrowded || matcher?.searches !== before?.searches) && attempt < MAX_ATTEMPTS) continue;
      const candidates = this.#collect(found, { matcher, embedding, limit });
      const statistics = {
        passages: found.totals.passages,
        meanTerms: matcher?.meanTerms ?? 0,
        frequencies: matcher?.frequencies ?? [],
      };
      return { candidates, statistics, isFiltered: condition !== undefined };
    }
  }

  /** The conditions of a filter on passages. */
  async #filters({ tags = {}, paths = [] }: Pick<Retrieval, 'tags' | 'paths'>): Promise<Condition | undefined> {
    const { cluster } = this.#parts.objects;
    const path = pathCondition(paths);
    const hasTags = Object.keys(tags).length > 0;
    if (!hasTags && path.kind === 'all') return undefined;
    const places =
      path.kind === 'test'
        ? await this.#placesThat(path.passes)
        : path.kind === 'names' && path.names.flatMap(placesNamed);
    return (objects) => [
      ...tagFilters(cluster, objects, tags),
      ...(places ? [objects.filter.byProperty('places').containsAny(places)] : []),
    ];
  }

  /** A condition that leaves out what is hidden, too. */
  #without({ generations }: Hidden, condition: Condition | undefined): Condition {
    const { not } = this.#parts.objects.cluster.filters;
    return (objects) => [
      ...(condition?.(objects) ?? []),
      not(objects.filter.byProperty('generation').containsAny([...generations])),
    ];
  }

  /** The entries of the files whose keys pass a test. */
  async #placesThat(passes: (key: string) => boolean): Promise<string[]> {
    const heads = await this.#parts.heads.all();
    const places = heads.filter(({ key }) => passes(key)).map(({ key }) => filePlace(key));
    // A list must not be empty: no place is.
    return places.length > 0 ? places : [''];
  }

  /** The frequencies of a query's words. */
  async #queryWords(lexical: LexicalQuery, totals: Totals): Promise<QueryWords> {
    const { stem, frequencies, onStage } = this.#parts;
    const ask = async () => {
      const { stems, phrases } = stemmed(lexical, stem);
      const [ofTerms, ofPhrases] = await Promise.all([
        frequencies.of(stems, totals),
        Promise.all(phrases.map(async (text) => ({ text, frequency: (await this.#withPhrase(text)).length }))),
      ]);
      return { stems, frequencies: ofTerms, phrases: ofPhrases, totals };
    };
    return timed(ask, { stage: 'postings', onStage });
  }

  /** Passages with a phrase. */
  async #withPhrase(phrase: string, condition?: Condition): Promise<FoundCandidate[]> {
    const { objects } = this.#parts;
    const { and, or } = objects.cluster.filters;
    const found = await objects.trip((of) => {
      // A filter on words passes a text that has all of them.
      const words = or(
        of.filter.byProperty('textTerms').equal(phrase),
        of.filter.byProperty('breadcrumbTerms').equal(phrase),
      );
      return objects.candidatesWhere(of, condition ? and(words, ...condition(of)) : words, PHRASE_PASSAGES);
    });
    const wanted = ` ${phrase} `;
    return found.filter(({ properties: { textTerms, breadcrumbTerms } }) =>
      [textTerms, breadcrumbTerms].some((terms) => ` ${terms} `.includes(wanted)),
    );
  }

  async #find({
    embedding,
    queryWords,
    words,
    limit,
    condition,
  }: {
    readonly embedding: Float32Array | undefined;
    readonly queryWords: QueryWords | undefined;
    readonly words: readonly string[];
    readonly limit: number;
    readonly condition: Condition | undefined;
  }): Promise<Found> {
    const { objects, frequencies, hiddenPassages } = this.#parts;
    const phrase = queryWords?.phrases.find(({ frequency }) => frequency > 0)?.text;
    const [nearest, byWords, totals, hidden] = await objects.cluster.roundTrip((find) => {
      const of = objects.in(find);
      const conditions = condition?.(of);
      const filters = conditions?.length ? objects.cluster.filters.and(...conditions) : undefined;
      return Promise.all([
        embedding ? objects.nearest(of, embedding, { limit, filters }) : [],
        phrase === undefined ? objects.bestByWords(of, words, { limit, filters }) : this.#withPhrase(phrase, condition),
        frequencies.totals(of),
        hiddenPassages.read(find),
        this.#parts.checkModel(find),
      ]);
    });
    return { nearest, byWords, totals, hidden };
  }

  #collect(
    { nearest, byWords, hidden }: Found,
    {
      matcher,
      embedding,
      limit,
    }: {
      readonly matcher: LexicalMatcher | undefined;
      readonly embedding: Float32Array | undefined;
      readonly limit: number;
    },
  ): Candidate[] {
    const kept = new Map<number, Kept>();
    for (const passage of nearest) {
      if (hidden.has(passage.properties)) continue;
      kept.set(passage.properties.number, { passage, occurrences: matcher?.occurrences(passage.properties) ?? [] });
    }
    if (matcher) {
      const scored: { readonly one: Kept; readonly score: number }[] = [];
      for (const passage of byWords) {
        const { properties } = passage;
        if (hidden.has(properties)) continue;
        const one = kept.get(properties.number) ?? { passage, occurrences: matcher.occurrences(properties) };
        const score = matcher.score(one.occurrences, properties.terms);
        if (score > 0) scored.push({ one, score });
      }
      scored.sort((a, b) => b.score - a.score);
      for (const { one } of scored.slice(0, limit)) kept.set(one.passage.properties.number, one);
    }
    this.#parts.candidates.remember(Array.from(kept.values(), ({ passage }) => passage));
    return Array.from(kept.values(), ({ passage, occurrences }): Candidate => {
      const { properties, distance, vector } = passage;
      const { number, terms, characters, subtype } = properties;
      const cosine = distance !== undefined ? 1 - distance : embedding && vector ? dot(embedding, vector) : Number.NaN;
      return { ...{ id: number, cosine, characters, subtype, occurrences }, terms: matcher ? terms : 0 };
    });
  }
}

/** The conditions of a filter, on the objects of a request. */
type Condition = (objects: Objects) => FilterValue[];

/** Whether hidden passages have taken so many places of others that these must be looked for. */
function isCrowdedOut({ nearest, byWords, hidden }: Found, limit: number): boolean {
  return [nearest, byWords].some((found) => {
    const count = found.filter(({ properties }) => hidden.has(properties)).length;
    return found.length >= limit && count > MOST_HIDDEN * limit;
  });
}

function dot(a: Float32Array, b: readonly number[]): number {
  let sum = 0;
  // By index: an iterator over a typed array is several times slower.
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
