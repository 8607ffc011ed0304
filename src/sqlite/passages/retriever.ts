import type { Candidate, Retrieval, Retrieved } from '../../storage/retrieval.js';
import { type OnStage, timed } from '../../storage/search-stage.js';
import type { VectorIndex } from '../../vectors/vector-index.js';
import type { Connection } from '../connection/connection.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { VectorCache } from '../embeddings/vector-cache.js';
import type { LexicalMatches, Postings } from '../postings/postings.js';
import type { PassageFeatures } from './passage-features.js';
import type { PassageReader } from './passage-reader.js';

/** Lexical matches, and the version of the database that they were found in. */
interface LexicalSearch {
  readonly version: string;
  readonly matches: LexicalMatches;
}

/** Finds the candidates of a query: the nearest embeddings and the best postings. */
export class Retriever {
  readonly #connection: Connection;
  readonly #embeddings: Embeddings;
  readonly #vectors: VectorCache;
  readonly #postings: Postings;
  readonly #reader: PassageReader;
  readonly #features: PassageFeatures;
  readonly #onStage: OnStage | undefined;

  constructor(
    connection: Connection,
    parts: {
      readonly embeddings: Embeddings;
      readonly vectors: VectorCache;
      readonly postings: Postings;
      readonly reader: PassageReader;
      readonly features: PassageFeatures;
      readonly onStage: OnStage | undefined;
    },
  ) {
    this.#connection = connection;
    this.#embeddings = parts.embeddings;
    this.#vectors = parts.vectors;
    this.#postings = parts.postings;
    this.#reader = parts.reader;
    this.#features = parts.features;
    this.#onStage = parts.onStage;
  }

  async retrieve(query: Retrieval): Promise<Retrieved> {
    // Another process embeds the query. Meanwhile, the postings are read, and the vectors are loaded if they are not
    // yet.
    const early = this.#read(() => this.#searchPostings(query));
    const [embedding, loaded] = await Promise.all([query.embedding, query.embedding && this.loadVectors()]);
    for (let index = loaded; ; index = await this.loadVectors()) {
      const retrieved = this.#read(() => {
        // Another process may have written since: everything must come from one snapshot.
        if (index && !this.#vectors.isCurrent(index)) return undefined;
        const version = this.#connection.version();
        const lexical = early?.version === version ? early : this.#searchPostings(query);
        return this.#collect(query, { matches: lexical?.matches, embedding, index });
      });
      if (retrieved) return retrieved;
    }
  }

  /** The vector index, up to date. Throws `MODEL_MISMATCH`, `BOT_MISSING`, `DATABASE_DAMAGED`. */
  async loadVectors(): Promise<VectorIndex> {
    try {
      return await this.#vectors.current();
    } catch (error) {
      // Vectors of another model fail in many ways: report the mismatch rather than its symptom.
      this.#read(() => undefined);
      throw error;
    }
  }

  #searchPostings({ lexical, limit, ...filter }: Retrieval): LexicalSearch | undefined {
    if (!lexical) return undefined;
    const search = () => {
      const version = this.#connection.version();
      return { version, matches: this.#postings.search(lexical, { limit, only: this.#reader.matching(filter) }) };
    };
    return timed(search, { stage: 'postings', onStage: this.#onStage });
  }

  #collect(
    { lexical, limit, ...filter }: Retrieval,
    {
      matches,
      embedding,
      index,
    }: { matches: LexicalMatches | undefined; embedding: Float32Array | undefined; index: VectorIndex | undefined },
  ): Retrieved {
    const only = this.#reader.matching(filter);
    const cosinesOf = () => {
      if (!embedding || !index) return new Map<number, number>();
      const nearest = index.search(embedding, { limit, ...(only && { only }) });
      const known = new Map(nearest.map(({ id, score }) => [id, score]));
      // A candidate of the other retriever gets its exact cosine.
      const others = Uint32Array.from((matches?.best ?? []).filter((passage) => !known.has(passage)));
      const scores = index.scores(embedding, others);
      for (const [i, passage] of others.entries()) known.set(passage, scores[i] ?? Number.NaN);
      return known;
    };
    const onStage = this.#onStage;
    const cosines = timed(cosinesOf, { stage: 'vectors', onStage });
    const ids = index ? [...cosines.keys()] : [...(matches?.best ?? [])];
    const wordsOf = () => ({
      occurrences: lexical && matches && this.#postings.occurrences(lexical, matches, ids),
      terms: matches && this.#postings.termCounts(ids),
    });
    const { occurrences, terms } = timed(wordsOf, { stage: 'postings', onStage });
    timed(() => this.#features.load(ids), { stage: 'features', onStage });
    const candidates = ids.map(
      (id, i): Candidate => ({
        id,
        cosine: cosines.get(id) ?? Number.NaN,
        occurrences: occurrences?.[i] ?? [],
        terms: terms?.[i] ?? 0,
        characters: this.#features.characters(id),
        subtype: this.#features.subtype(id),
      }),
    );
    const statistics = {
      passages: matches?.passages ?? this.#postings.size(),
      meanTerms: matches?.meanTerms ?? 0,
      frequencies: matches?.frequencies ?? [],
    };
    return { candidates, statistics, isFiltered: only !== undefined };
  }

  #read<T>(work: () => T): T {
    return this.#connection.read(() => {
      this.#embeddings.checkModel();
      return work();
    });
  }
}
