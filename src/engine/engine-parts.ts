import type { Embedder, SimilarityScale } from '../embed/embedder.js';
import type { Cutting } from '../formats/parser.js';
import type { Parser } from '../indexing/indexing.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRecord } from '../storage/accounts.js';
import type { OnStage } from '../storage/stage.js';
import type { Storage } from '../storage/storage.js';
import type { StoreInUse } from './store-in-use.js';

/**
 * What an engine is made of.
 * @internal
 */
export interface EngineParts {
  readonly storage: Storage;
  readonly bot: BotRecord;
  readonly store: StoreInUse;
  readonly embedder: Embedder;
  readonly scale: () => Promise<SimilarityScale>;
  readonly parser: Parser;
  readonly cutting: Cutting;
  /** Its own parse processes, closed with it like embedder and storage; undefined if it shares all of these. */
  readonly ownPool: ParsePool | undefined;
  readonly onStage: OnStage | undefined;
  readonly warn: (message: string) => void;
}
