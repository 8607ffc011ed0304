import type { Abortable } from '../domain/abortable.js';
import type { Embedder } from '../embed/embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow, SqliteBots } from '../sqlite/accounts/sqlite-bots.js';
import type { ModelRow, SqliteModels } from '../sqlite/accounts/sqlite-models.js';
import type { Connection } from '../sqlite/connection/connection.js';

/** The database under examination. */
export interface DoctorContext extends Abortable {
  /** Absolute path. */
  readonly file: string;
  readonly connection: Connection;
  readonly bots: SqliteBots;
  readonly models: SqliteModels;
}

/** The bot under examination. */
export interface BotContext extends DoctorContext {
  readonly bot: BotRow;
  /** The model of the bot's files; undefined before the first was indexed. */
  readonly recorded: ModelRow | undefined;
  /** The model that an engine would open; undefined if it cannot be opened. */
  readonly embedder: Embedder | undefined;
  /** Why the model cannot be opened. */
  readonly failure: Error | undefined;
  /** The parser for files that were cut with these settings. Needs `embedder`. */
  readonly parserOf: (cutting: CuttingOptions) => ParsePool;
}

/** Whether texts can be cut as they were: cutting depends on the tokenizer of the model. */
export function isSameModel({ recorded, embedder }: BotContext): boolean {
  return recorded !== undefined && recorded.fingerprint === embedder?.card.fingerprint;
}
