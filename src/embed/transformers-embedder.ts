import { availableParallelism } from 'node:os';
import { reasonOf, WaymarkError } from '../domain/errors.js';
import type { Embedder, EmbedOptions, ModelCard, TokenCounterSource } from './embedder.js';
import type { Model } from './model/model.js';
import { ProcessPool } from './processes/process-pool.js';
import { QueryCache } from './query-cache.js';

/**
 * Embeds with a model folder in Transformers.js layout, in processes of its own: the calling process is never blocked.
 */
export class TransformersEmbedder implements Embedder {
  readonly card: ModelCard;
  readonly counter: TokenCounterSource;
  readonly #pool: ProcessPool;
  readonly #queries = new QueryCache((text, options) => this.#embed('query', text, options));

  /** `processes`: how many texts are embedded at once. Defaults to the number of cores. */
  constructor(model: Model, options?: { readonly processes?: number }) {
    this.card = model.card;
    this.counter = { module: new URL('./tokenizer.js', import.meta.url).href, argument: model.folder };
    this.#pool = new ProcessPool(model, { size: options?.processes ?? availableParallelism() });
  }

  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]> {
    return Promise.all(texts.map((text) => this.#embed('passage', text, options)));
  }

  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array> {
    return this.#queries.get(text, options);
  }

  async countTokens(text: string): Promise<number> {
    const outcome = await this.#pool.run('count', text);
    if ('tokens' in outcome) return outcome.tokens;
    throw this.#failure('error' in outcome ? outcome.error : outcome);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #embed(kind: 'passage' | 'query', text: string, options?: EmbedOptions): Promise<Float32Array> {
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
    const reason = reasonOf(cause);
    return new WaymarkError('EMBEDDER_FAILED', `${this.card.id} could not embed a text: ${reason}.`, { cause });
  }
}
