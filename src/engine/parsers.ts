import type { Embedder } from '../embed/embedder.js';
import type { Cutting } from '../formats/parser.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import { cuttingOf, parserOf } from './cutting-options.js';

/** Parsers that cut for one model, with different settings. Each starts with the first text that needs it. */
export class Parsers {
  readonly #embedder: Embedder;
  readonly #pools = new Map<string, ParsePool>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** The parser for files that were cut with these settings. Throws `INVALID_ARGUMENT`. */
  of({ budget, embedBreadcrumb }: Cutting): ParsePool {
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
