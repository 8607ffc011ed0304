import type { Embedder } from '../embed/embedder.js';
import type { Cutting } from '../formats/parser.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { ParsePool } from './parsing/parse-pool.js';

/** The parts that every way of indexing works with. */
export interface Indexing {
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly parser: ParsePool;
  readonly cutting: Cutting;
  /** The folder that stored folders are relative to. */
  readonly base: string;
}
