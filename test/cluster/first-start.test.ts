import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { Cluster as Connection } from '#src/weaviate/connection/cluster.js';
import { FILES } from '#src/weaviate/schema/collections.js';
import { until } from '../support/until.js';
import { startCluster } from './start.js';

test('what is created while one of three nodes is away still has three replicas', async () => {
  await using cluster = await startCluster();
  await cluster.kill(2);
  const hosts = cluster.hosts.slice(0, 2).map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  const connection = await Connection.open({ hosts });
  // Fails until the other nodes have forgotten the killed one.
  const nodes = () => connection.request((client) => client.cluster.nodes()).catch(() => []);
  await until(async () => (await nodes()).length === 2);
  await (await openEngine({ cluster: { hosts }, model: createHashEmbedder() })).close();
  const { replication } = await connection.request((client) => client.collections.use(FILES).config.get());
  expect(replication.factor).toBe(3);
  connection.close();
});
