import { type Cluster, startCluster } from './start.js';

/** The variable that names the cluster of the tests in test/weaviate. */
const VARIABLE = 'WAYMARK_TEST_CLUSTER';

let cluster: Cluster | undefined;

/** Starts a cluster for all tests in test/weaviate, unless a variable names one. */
export async function setup(): Promise<void> {
  if (process.env[VARIABLE]) return;
  cluster = await startCluster();
  process.env[VARIABLE] = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`).join(',');
}

export async function teardown(): Promise<void> {
  await cluster?.stop();
}
