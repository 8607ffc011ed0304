import type { Embedder } from '../embed/embedder.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow, Bots, ModelRow } from '../sqlite/accounts/bots.js';
import type { Database } from '../sqlite/connection/database.js';

/** What is examined. */
export interface Patient {
  /** Absolute path. */
  readonly file: string;
  readonly database: Database;
  readonly bots: Bots;
}

/** One bot's part of it. */
export interface BotPatient extends Patient {
  readonly bot: BotRow;
  /** What its files are embedded with, once any was. */
  readonly recorded: ModelRow | undefined;
  /** The model that its engine would open; undefined where it cannot be. */
  readonly embedder: Embedder | undefined;
  /** Why it cannot be. */
  readonly failure: Error | undefined;
  /** Parses as a file of such a cutting was parsed. */
  readonly parserOf: (cutting: { readonly budget: number; readonly embedBreadcrumb: boolean }) => ParsePool;
}

/** Whether texts can be cut again as they were: with the tokenizer of the model that they were cut for. */
export function isSameModel({ recorded, embedder }: BotPatient): boolean {
  return recorded !== undefined && recorded.fingerprint === embedder?.card.fingerprint;
}
