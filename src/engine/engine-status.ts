import { botOf, findBot } from '../accounts/administration.js';
import type { Bot } from '../contract/operations/bots.js';
import type { ModelCard } from '../embed/embedder.js';
import type { StoreCounts } from '../storage/passage-store.js';
import type { UnfinishedReembedding } from '../storage/staged-files.js';
import type { StorageNode } from '../storage/storage.js';
import type { EngineParts } from './engine-parts.js';

/** What an index holds. */
export interface EngineStatus extends StoreCounts {
  /** Absolute path of the database, or the addresses of the cluster. */
  readonly database: string;
  /** Absolute path of the folder that `folders` are relative to. */
  readonly base: string;
  /** Size of the database, including the pages that are still in its log; absent for a cluster. */
  readonly bytes?: number;
  /** The nodes of a cluster, with what they have of the bot; absent for a database. */
  readonly nodes?: readonly StorageNode[];
  readonly bot: Bot;
  /** The model of the bot's files. */
  readonly model: ModelCard;
  /** The vector index that serves now. */
  readonly index: 'exact' | 'hnsw';
  /** Progress of `reembed`, if it is running or was stopped. */
  readonly reembedding?: UnfinishedReembedding;
}

/**
 * What the index of an engine holds. Throws `BOT_MISSING`.
 * @internal
 */
export async function engineStatus({ storage, store, embedder, bot }: EngineParts): Promise<EngineStatus> {
  const nodes = await storage.nodes(bot.id);
  const bytes = await storage.size();
  const reembedding = await storage.reembeddings.unfinished(bot.id);
  return {
    ...(await store.readable.counts()),
    database: storage.location,
    base: storage.base,
    ...(bytes !== undefined && { bytes }),
    ...(nodes.length > 0 && { nodes }),
    bot: botOf(await findBot(storage.accounts.bots, bot.id)),
    model: embedder.card,
    index: await store.readable.indexKind(),
    ...(reembedding && { reembedding }),
  };
}
