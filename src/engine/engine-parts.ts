import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Embedder } from '../embed/embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { Parser } from '../indexing/indexing.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRecord } from '../storage/accounts.js';
import type { OnStage } from '../storage/search-stage.js';
import type { Storage } from '../storage/storage.js';
import type { EngineStore } from './engine-store.js';

/**
 * What an engine is made of.
 * @internal
 */
export interface EngineParts {
  readonly storage: Storage;
  readonly bot: BotRecord;
  readonly store: EngineStore;
  readonly embedder: Embedder;
  readonly scale: () => Promise<SimilarityScale>;
  readonly parser: Parser;
  readonly cutting: CuttingOptions;
  /**
   * The parse processes that only this engine uses. If defined, the engine closes them, the embedder and the storage;
   * undefined for an engine that shares all three.
   */
  readonly ownPool: ParsePool | undefined;
  readonly onStage: OnStage | undefined;
  readonly warn: (message: string) => void;
}
