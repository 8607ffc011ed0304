import type { OpenedEmbedder } from '../embed/open-embedder.js';
import type { Parser } from '../indexing/indexing.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { cuttingOf } from './cutting-options.js';
import { SearchEngine } from './engine.js';
import { type EngineOptions, stageObserverOf, warnerOf } from './engine-options.js';
import { owned } from './models/owned-embedder.js';
import { similarityScale } from './models/similarity.js';
import { openStore } from './open-store.js';
import { parserOf } from './parsers.js';

/** What an engine is assembled from. */
export interface EngineResources {
  readonly storage: Storage;
  readonly opened: OpenedEmbedder;
  /** A parser shared by several engines. Without one, the engine creates its own, and closes all resources with it. */
  readonly parser?: Parser;
  readonly options: Omit<EngineOptions, 'database' | 'bot'>;
}

/** The engine of a bot. Throws `MODEL_MISMATCH`, `INVALID_ARGUMENT`. */
export async function assembleEngine(bot: BotRecord, resources: EngineResources): Promise<SearchEngine> {
  const { storage, options } = resources;
  const embedder = owned(resources.opened.embedder, bot.id);
  const opened = { ...resources.opened, embedder };
  const cutting = cuttingOf(options, embedder.card);
  const pool = parserOf(embedder, cutting);
  const parser = resources.parser ?? pool;
  return new SearchEngine({
    storage,
    bot,
    store: await openStore(bot, { ...resources, opened, parser, cutting }),
    embedder,
    scale: similarityScale(embedder, storage.models),
    parser,
    ownPool: resources.parser ? undefined : pool,
    cutting,
    onStage: stageObserverOf(options),
    warn: warnerOf(options),
  });
}
