import type { Embedder } from '../embed/embedder.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow, SqliteBots } from '../sqlite/accounts/sqlite-bots.js';
import type { ModelRow, SqliteModels } from '../sqlite/accounts/sqlite-models.js';
import type { Connection } from '../sqlite/connection/connection.js';

/** The database that is examined. */
export interface DoctorContext {
  /** Absolute path. */
  readonly file: string;
  readonly connection: Connection;
  readonly bots: SqliteBots;
  readonly models: SqliteModels;
}

/** The bot that is examined. */
export interface BotContext extends DoctorContext {
  readonly bot: BotRow;
  /** The model of its files; undefined before the first was indexed. */
  readonly recorded: ModelRow | undefined;
  /** The model that its engine would open; undefined if it cannot be opened. */
  readonly embedder: Embedder | undefined;
  /** Why it cannot be opened. */
  readonly failure: Error | undefined;
  /** The parser for files that were cut in some way. */
  readonly parserOf: (cutting: { readonly budget: number; readonly embedBreadcrumb: boolean }) => ParsePool;
}

/** Whether texts can be cut as they were: with the tokenizer of the model that they were cut for. */
export function isSameModel({ recorded, embedder }: BotContext): boolean {
  return recorded !== undefined && recorded.fingerprint === embedder?.card.fingerprint;
}
