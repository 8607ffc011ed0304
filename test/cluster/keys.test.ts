import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { type Cluster, startCluster } from './start.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ apiKey: 'old' });
});

afterAll(() => cluster?.stop());

async function open(apiKey: string): Promise<SearchEngine> {
  const hosts = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  const engine = await openEngine({ cluster: { hosts, apiKey }, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  return engine;
}

/** Restarts the nodes one after the other, so that each accepts the given keys. */
async function rollOut(...keys: readonly string[]): Promise<void> {
  cluster.allowKeys(...keys);
  for (const node of [0, 1, 2]) await cluster.restart(node);
}

/** Runs work while an engine writes and searches without a pause; no write and no search may fail. */
async function inUse(engine: SearchEngine, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const using = async () => {
    for (let i = 0; !isDone; i++) {
      await engine.indexFile('a.md', `An apple of day${i}.`);
      const [hit] = await engine.search(`day${i}`, { mode: 'lexical' });
      expect(hit?.passage.content).toBe(`An apple of day${i}.`);
    }
  };
  const used = using();
  await Promise.race([used, work()]);
  isDone = true;
  await used;
}

test('the key of a cluster in use is replaced as docs/deploy says, and then the old one is refused', async () => {
  const former = await open('old');
  await inUse(former, () => rollOut('old', 'new'));
  const present = await open('new');
  await inUse(former, async () => {
    await present.indexFile('b.md', 'A pear.');
  });
  await inUse(present, () => rollOut('new'));
  await expect(former.search('apple')).rejects.toMatchObject({ code: 'CLUSTER_UNAUTHORIZED' });
  expect((await present.search('pear')).map(({ file }) => file.key)).toContain('b.md');
});
