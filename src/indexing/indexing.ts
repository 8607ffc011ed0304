import type { Embedder } from '../embed/embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { ParsePool } from './parsing/parse-pool.js';

/** Cuts texts into passages: a pool of processes, or one caller's share of a pool. */
export type Parser = Pick<ParsePool, 'size' | 'parse' | 'extract' | 'measure'>;

/** The parts that every way of indexing works with. */
export interface Indexing {
  readonly store: PassageStore;
  readonly embedder: Embedder;
  readonly parser: Parser;
  readonly cutting: CuttingOptions;
  /** The folder that stored folders are relative to. */
  readonly base: string;
  /** Stops the work. What is not stored then changes nothing. */
  readonly signal: AbortSignal | undefined;
}
