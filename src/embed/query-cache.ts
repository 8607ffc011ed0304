import { untilAborted } from '../domain/abortable.js';
import type { EmbedOptions } from './embedder.js';

/** Number of embeddings that are kept, 1.5 kB each. */
const KEPT = 128;

interface Query {
  readonly embedding: Promise<Float32Array>;
  readonly stop: AbortController;
  /** How many callers wait for the embedding. */
  waiting: number;
}

/** Embeddings of the latest queries: repeated questions and highlighting embed nothing. */
export class QueryCache {
  readonly #embed: (text: string, options: EmbedOptions) => Promise<Float32Array>;
  /** Least recent first. */
  readonly #queries = new Map<string, Query>();

  constructor(embed: (text: string, options: EmbedOptions) => Promise<Float32Array>) {
    this.#embed = embed;
  }

  /**
   * The embedding of a query, which callers at the same time share, in the turn of the first. Its computation is
   * stopped once all of them have aborted. Throws `ABORTED`.
   */
  async get(text: string, { signal, owner }: EmbedOptions = {}): Promise<Float32Array> {
    const query = this.#queries.get(text) ?? this.#start(text, owner);
    this.#keep(text, query);
    query.waiting++;
    try {
      return (await untilAborted(query.embedding, signal)).slice();
    } catch (error) {
      if (!signal?.aborted) this.#forget(text, query);
      throw error;
    } finally {
      query.waiting--;
      if (signal?.aborted && query.waiting === 0) {
        this.#forget(text, query);
        query.stop.abort(signal.reason);
      }
    }
  }

  #start(text: string, owner: unknown): Query {
    const stop = new AbortController();
    return { embedding: this.#embed(text, { signal: stop.signal, owner }), stop, waiting: 0 };
  }

  #keep(text: string, query: Query): void {
    this.#queries.delete(text);
    this.#queries.set(text, query);
    for (const oldest of this.#queries.keys()) {
      if (this.#queries.size <= KEPT) break;
      this.#queries.delete(oldest);
    }
  }

  #forget(text: string, query: Query): void {
    if (this.#queries.get(text) === query) this.#queries.delete(text);
  }
}
