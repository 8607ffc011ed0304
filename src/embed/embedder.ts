/** What a model's cosines are worth, for a score that means the same with every model. */
export interface SimilarityScale {
  /** Mean cosine of a question and a passage that has nothing to do with it. */
  readonly unrelated: number;
  /** Mean cosine of a question and the passage that answers it, above `unrelated`. */
  readonly related: number;
}

/** What must be known of a model to use it rightly, and to tell two models apart. */
export interface ModelCard {
  /** The model's name: its folder's or its hub id. */
  readonly id: string;
  /** Length of an embedding. */
  readonly dimensions: number;
  /** How token vectors become one: the first token's, or the mean over all. */
  readonly pooling: 'cls' | 'mean';
  /** Put in front of a query before it is embedded. */
  readonly queryPrefix: string;
  /** Put in front of a passage before it is embedded. */
  readonly passagePrefix: string;
  /** Longest text the model reads, in tokens, with the special ones. */
  readonly maxTokens: number;
  /** Measured when the first question is asked, unless given. */
  readonly similarity?: SimilarityScale;
  /** SHA-256 over all that changes a passage's embedding: weights, tokenizer, pooling, passage prefix, limit, runtime. */
  readonly fingerprint: string;
}

/**
 * A module that counts tokens in a parse worker: its default export, called with `argument` (structured-cloneable),
 * resolves to a function from a text to its number of tokens, special ones included.
 */
export interface TokenCounterSource {
  /** URL of an ES module. */
  readonly module: string;
  readonly argument?: unknown;
}

export type CountTokens = (text: string) => number;

/** Makes embeddings: unit-length vectors whose dot product is the cosine similarity. */
export interface Embedder {
  readonly card: ModelCard;
  readonly counter: TokenCounterSource;
  /**
   * One embedding a text, in order; the same text always gets the same bits. Throws `TEXT_TOO_LONG` for a text over
   * `card.maxTokens`, `ABORTED` when the signal fires first, `EMBEDDER_FAILED`, `ENGINE_CLOSED`.
   */
  embedPassages(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<Float32Array[]>;
  /** The embedding of a query; one longer than the model reads is embedded in parts, and their mean is taken. */
  embedQuery(text: string): Promise<Float32Array>;
  /** Number of tokens of a text, special ones included. */
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}
