import type { SimilarityScale } from '../domain/similarity-scale.js';

/** How to use an embedding model, and what identifies it. */
export interface ModelCard {
  /** The name of the model's folder, or its hub id. */
  readonly id: string;
  /** Elements per embedding. */
  readonly dimensions: number;
  /** How token vectors become one embedding: the first token's vector, or the mean of all. */
  readonly pooling: 'cls' | 'mean';
  /** Prepended to a query before it is embedded. */
  readonly queryPrefix: string;
  /** Prepended to a passage before it is embedded. */
  readonly passagePrefix: string;
  /** Maximum length of a text in tokens, special tokens included. */
  readonly maxTokens: number;
  /** If omitted, it is measured when the first question is asked. */
  readonly similarity?: SimilarityScale;
  /**
   * SHA-256 of everything that affects a passage's embedding: weights, tokenizer, pooling, passage prefix, limit and
   * runtime. Embeddings of different fingerprints are never compared.
   */
  readonly fingerprint: string;
}

/** How a parse process, which cannot receive functions, obtains a token counter. */
export interface TokenCounterSource {
  /**
   * URL of an ES module. Its default export, called with `argument`, returns or resolves to a `CountTokens`.
   */
  readonly module: string;
  /** Passed to the default export; must be structured-cloneable. */
  readonly argument?: unknown;
}

/** Returns the number of tokens of a text, special tokens included. */
export type CountTokens = (text: string) => number;

/** Options of `embedPassages` and `embedQuery`. */
export interface EmbedOptions {
  /** Fires when the embeddings are no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The owner of the texts, compared by identity: an embedder that several owners share should embed their texts in
   * turns. Defaults to one owner for all calls without it.
   */
  readonly owner?: unknown;
}

/** Turns texts into embeddings: unit vectors whose dot product is the cosine similarity. */
export interface Embedder {
  /** Describes the model. */
  readonly card: ModelCard;
  /** Counts tokens in the processes that cut files into passages. */
  readonly counter: TokenCounterSource;
  /**
   * Returns one embedding per text, in order. The same text always yields the same bits. Throws `TEXT_TOO_LONG` for a
   * text over `card.maxTokens`, `ABORTED` when the signal fires first, `EMBEDDER_FAILED` and `ENGINE_CLOSED`.
   */
  embedPassages(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Returns the embedding of a query. A query over `card.maxTokens` is embedded in parts, whose normalised mean is
   * returned. Throws `ABORTED` when the signal fires first, `EMBEDDER_FAILED` and `ENGINE_CLOSED`.
   */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  /** Returns the number of tokens of a text, special tokens included. */
  countTokens(text: string): Promise<number>;
  /** Ends all processes. Calls under way reject with `ENGINE_CLOSED`. */
  close(): Promise<void>;
}
