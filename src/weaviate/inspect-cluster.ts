import type { Accounts, BotRecord } from '../storage/accounts.js';
import type { StorageNode } from '../storage/storage.js';
import { botRecords } from './accounts/bot-records.js';
import { WeaviateAccounts } from './accounts/weaviate-accounts.js';
import { Cluster } from './connection/cluster.js';
import type { ClusterOptions } from './connection/cluster-options.js';
import { FileHeads } from './files/file-heads.js';
import { ABANDONED_AFTER, Writes } from './files/writes.js';
import { openFileWriter } from './passages/open-passage-store.js';
import { PassageObjects } from './passages/passage-objects.js';
import { removeUnnamed } from './passages/remove-unnamed.js';
import { nodeStates } from './schema/node-states.js';
import { checkSchema } from './schema/prepare-schema.js';
import { passagesTenant } from './schema/tenants.js';

/** What is stored of a bot in a cluster. */
export interface InspectedBot {
  readonly bot: BotRecord;
  readonly nodes: readonly StorageNode[];
  /** Passages that the files of the bot name. */
  readonly named: number;
  /** Passages that are stored; more are named by no file, fewer are missing. */
  readonly stored: number;
  /** Writes that are under way. */
  readonly writes: number;
  /** Writes of processes that have died. */
  readonly abandoned: number;
}

/** An open cluster under examination. */
export interface InspectedCluster {
  /** The nodes as the cluster sees them. */
  readonly nodes: readonly StorageNode[];
  readonly accounts: Accounts;
  /** All bots. */
  list(): Promise<readonly BotRecord[]>;
  inspect(bot: BotRecord): Promise<InspectedBot>;
  /** Removes what abandoned writes have left, and passages that no file names. */
  repair(bot: BotRecord): Promise<void>;
  close(): void;
}

/**
 * Opens a cluster for examination; creates nothing in it. Throws `INDEX_MISSING` if nothing of Waymark is in it,
 * `CLUSTER_INCOMPATIBLE`, `CLUSTER_UNAVAILABLE`, `CLUSTER_UNAUTHORIZED`, `CLUSTER_CLIENT_MISSING`.
 */
export async function inspectCluster(
  options: ClusterOptions,
  { stem }: { readonly stem: (term: string) => string },
): Promise<InspectedCluster> {
  const cluster = await Cluster.open(options);
  try {
    await checkSchema(cluster);
    const records = botRecords(cluster);
    const passagesOf = async ({ id }: BotRecord) => {
      const model = await records.models.find(id);
      return model && { objects: new PassageObjects(cluster, passagesTenant(id, model.fingerprint)), ...model };
    };
    return {
      nodes: await nodeStates(cluster, ''),
      accounts: new WeaviateAccounts(cluster),
      list: () => records.bots.list(),
      async inspect(bot) {
        const passages = await passagesOf(bot);
        const [heads, writes] = [await new FileHeads(cluster, bot.id).all(), await new Writes(cluster, bot.id).list()];
        return {
          bot,
          nodes: await nodeStates(cluster, bot.id),
          named: heads.reduce((sum, head) => sum + head.passages, 0),
          stored: passages ? await passages.objects.trip((of) => of.length()) : 0,
          writes: writes.length,
          abandoned: writes.filter(({ since }) => Date.now() - since > ABANDONED_AFTER).length,
        };
      },
      async repair(bot) {
        const passages = await passagesOf(bot);
        if (!passages) return;
        await openFileWriter(cluster, { bot: bot.id, fingerprint: passages.fingerprint, stem }).sweep();
        await removeUnnamed(passages.objects, {
          heads: new FileHeads(cluster, bot.id),
          writes: new Writes(cluster, bot.id),
        });
      },
      close: () => cluster.close(),
    };
  } catch (error) {
    cluster.close();
    throw error;
  }
}
