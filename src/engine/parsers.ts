import type { Embedder } from '../embed/embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import { ParsePool } from '../indexing/parsing/parse-pool.js';
import { cuttingOf } from './cutting-options.js';

/** A pool that parses texts for a model. Its processes, by default one per core, start with the first text. */
export function parserOf(
  { counter, card: { maxTokens, passagePrefix } }: Embedder,
  cutting: CuttingOptions,
  options?: { readonly processes: number },
): ParsePool {
  return new ParsePool({ counter, cutting, maxTokens, passagePrefix }, options);
}

/** Parsers that cut for one model, with different settings. Each starts with the first text that needs it. */
export class Parsers {
  readonly #embedder: Embedder;
  readonly #pools = new Map<string, ParsePool>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** The parser for files that were cut with these settings. Throws `INVALID_ARGUMENT`. */
  of({ budget, embedBreadcrumb }: CuttingOptions): ParsePool {
    const key = `${budget} ${embedBreadcrumb}`;
    const cutting = cuttingOf({ passageTokens: budget, embedBreadcrumb }, this.#embedder.card);
    const pool = this.#pools.get(key) ?? parserOf(this.#embedder, cutting);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    for (const pool of this.#pools.values()) await pool.close();
  }
}
