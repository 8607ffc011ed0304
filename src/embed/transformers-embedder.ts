import { availableParallelism } from 'node:os';
import { WaymarkError } from '../domain/errors.js';
import type { Embedder, EmbedPassagesOptions, ModelCard, TokenCounterSource } from './embedder.js';
import type { Model } from './model/model.js';
import { ProcessPool } from './processes/process-pool.js';

/** Number of query embeddings that are cached, 1.5 kB each. */
const CACHED_QUERIES = 128;

/**
 * Embeds with a model folder in Transformers.js layout, in processes of its own: the calling process is never blocked.
 */
export class TransformersEmbedder implements Embedder {
  readonly card: ModelCard;
  readonly counter: TokenCounterSource;
  readonly #pool: ProcessPool;
  /** Embeddings of the latest queries, least recent first: repeated questions and highlighting embed nothing. */
  readonly #queries = new Map<string, Promise<Float32Array>>();

  /** `processes`: how many texts are embedded at once. Defaults to the number of cores. */
  constructor(model: Model, options?: { readonly processes?: number }) {
    this.card = model.card;
    this.counter = { module: new URL('./tokenizer.js', import.meta.url).href, argument: model.folder };
    this.#pool = new ProcessPool(model, { size: options?.processes ?? availableParallelism() });
  }

  embedPassages(texts: readonly string[], options?: EmbedPassagesOptions): Promise<Float32Array[]> {
    return Promise.all(texts.map((text) => this.#embed('passage', text, options)));
  }

  async embedQuery(text: string): Promise<Float32Array> {
    const embedding = this.#queries.get(text) ?? this.#embed('query', text);
    this.#queries.delete(text);
    this.#queries.set(text, embedding);
    for (const oldest of this.#queries.keys()) {
      if (this.#queries.size <= CACHED_QUERIES) break;
      this.#queries.delete(oldest);
    }
    try {
      return (await embedding).slice();
    } catch (error) {
      this.#queries.delete(text);
      throw error;
    }
  }

  async countTokens(text: string): Promise<number> {
    const outcome = await this.#pool.run('count', text);
    if ('tokens' in outcome) return outcome.tokens;
    throw this.#failure('error' in outcome ? outcome.error : outcome);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #embed(kind: 'passage' | 'query', text: string, options?: EmbedPassagesOptions): Promise<Float32Array> {
    const outcome = await this.#pool.run(kind, text, options);
    if ('embedding' in outcome) return outcome.embedding;
    if ('tooLong' in outcome) {
      throw new WaymarkError(
        'TEXT_TOO_LONG',
        `A text of ${outcome.tooLong} tokens exceeds the limit of ${this.card.id} (${this.card.maxTokens}): ` +
          'split it first.',
      );
    }
    throw this.#failure('error' in outcome ? outcome.error : outcome);
  }

  #failure(cause: unknown): WaymarkError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new WaymarkError('EMBEDDER_FAILED', `${this.card.id} could not embed a text: ${reason}.`, { cause });
  }
}
