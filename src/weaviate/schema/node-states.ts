import type { StorageNode } from '../../storage/storage.js';
import type { Cluster } from '../connection/cluster.js';
import { PASSAGES } from './collections.js';

/** The nodes of a cluster, and the replicas of a bot on them. */
export async function nodeStates(cluster: Cluster, bot: string): Promise<StorageNode[]> {
  const nodes = await cluster.request((client) => client.cluster.nodes({ collection: PASSAGES, output: 'verbose' }));
  const listed = new Set(nodes.map(({ name }) => name));
  const missing = (await cluster.members()).filter((name) => !listed.has(name));
  const states = nodes.map(({ name, status, version, shards }) => {
    // A node that is down reports no shards.
    const ofBot = (shards ?? []).filter((shard) => shard.name.startsWith(`${bot}-`));
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      ...{ name, version, isHealthy: status === 'HEALTHY' },
      passages: ofBot.length === 0 ? undefined : sum(ofBot.map(({ objectCount }) => objectCount)),
      queued: sum(ofBot.map(({ vectorQueueLength }) => vectorQueueLength)),
    };
  });
  // The others have forgotten a node that has been away for some seconds.
  const gone = missing.map((name) => ({ name, version: '', isHealthy: false, passages: undefined, queued: 0 }));
  return [...states, ...gone];
}
