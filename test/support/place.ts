import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { EngineOptions } from 'waymark';
import { openStorage } from '#src/engine/open-storage.js';
import type { Bots } from '#src/storage/accounts.js';
import { folderOf } from './folder.js';

/** Options that say where an engine or a host stores everything. */
export type Place = Pick<EngineOptions, 'database' | 'cluster' | 'bot'>;

type Cluster = NonNullable<EngineOptions['cluster']>;

/** The cluster that `npm run test:cluster` runs suites over; undefined where they run over SQLite files. */
export const CLUSTER = clusterOf(process.env.WAYMARK_TEST_CLUSTER);

/**
 * A place of a test's own for an engine: a new database, or a new bot in the cluster. It is removed when the test has
 * finished.
 */
export async function ownPlace(): Promise<Place> {
  if (!CLUSTER) return { database: path.join(folderOf(), 'waymark.db') };
  const cluster = CLUSTER;
  const bot = await withBots(cluster, (bots) => bots.create({ name: randomUUID(), tags: {}, workspace: undefined }));
  // Each bot takes some megabytes of every node.
  onTestFinished(() => withBots(cluster, (bots) => bots.remove(bot.id)));
  return { cluster, bot: bot.id };
}

async function withBots<T>(cluster: Cluster, work: (bots: Bots) => Promise<T>): Promise<T> {
  const storage = await openStorage({ cluster });
  try {
    return await work(storage.accounts.bots);
  } finally {
    storage.close();
  }
}

function clusterOf(hosts: string | undefined): Cluster | undefined {
  return hosts === undefined ? undefined : { hosts: hosts.split(',') };
}
