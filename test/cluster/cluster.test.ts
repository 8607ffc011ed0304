import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.js';
import { freePorts } from './ports.js';
import { type Cluster, startCluster } from './start.js';

const API_KEY = 'key-of-the-tests';

/** Asks a node by REST. */
function ask(cluster: Cluster, node: number, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...init.headers };
  // A request of a node to a leader that was just killed waits for minutes, but the next request finds the new leader.
  const signal = AbortSignal.timeout(5_000);
  return fetch(`http://${cluster.hosts[node]?.http}/v1/${path}`, { signal, ...init, headers });
}

/** Waits until a condition holds; a condition that throws does not hold. */
function untilWithFailures(condition: () => Promise<boolean>): Promise<void> {
  return until(() => condition().catch(() => false));
}

/**
 * A collection whose objects are on all three nodes. A node that missed some gets them in the background. Until then,
 * searches on it do not find them at any consistency level, because the level applies to what the node has found.
 */
function createCollection(cluster: Cluster, node: number, name: string): Promise<Response> {
  const body = JSON.stringify({
    class: name,
    vectorizer: 'none',
    replicationConfig: { factor: 3, asyncEnabled: true },
  });
  return ask(cluster, node, 'schema', { method: 'POST', body });
}

/** Creates an object, or replaces what an earlier try created. Returns whether a majority of the nodes has it. */
async function createObject(cluster: Cluster, node: number, name: string, text: string): Promise<boolean> {
  const id = `00000000-0000-0000-0000-${text.padStart(12, '0')}`;
  const body = JSON.stringify({ objects: [{ class: name, id, properties: { text }, vector: [1, 0] }] });
  const response = await ask(cluster, node, 'batch/objects?consistency_level=QUORUM', { method: 'POST', body });
  const [created] = (await response.json()) as [{ result?: { status?: string } }];
  return created.result?.status === 'SUCCESS';
}

/** The texts of a collection that a majority of the nodes has, sorted. */
async function textsOf(cluster: Cluster, node: number, name: string): Promise<string> {
  const query = `{ Get { ${name}(limit: 10, consistencyLevel: QUORUM) { text } } }`;
  const response = await ask(cluster, node, 'graphql', { method: 'POST', body: JSON.stringify({ query }) });
  const { data } = (await response.json()) as { data?: { Get?: Record<string, readonly { text: string }[] | null> } };
  const found = data?.Get?.[name] ?? [];
  return found
    .map(({ text }) => text)
    .sort()
    .join(' ');
}

async function namesOf(cluster: Cluster, node: number): Promise<string[]> {
  const { nodes } = (await (await ask(cluster, node, 'nodes')).json()) as {
    nodes: readonly { name: string; status: string }[];
  };
  return nodes.filter(({ status }) => status === 'HEALTHY').map(({ name }) => name);
}

describe('three nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ apiKey: API_KEY });
  });
  afterAll(() => cluster?.stop());

  test('form one cluster: each sees all of them, and what is created on one exists on all', async () => {
    for (const node of [0, 1, 2]) expect((await namesOf(cluster, node)).sort()).toEqual(['node1', 'node2', 'node3']);
    expect((await createCollection(cluster, 0, 'Formed')).status).toBe(200);
    for (const node of [0, 1, 2]) await until(async () => (await ask(cluster, node, 'schema/Formed')).ok);
  });

  test('demand the API key', async () => {
    for (const authorization of ['', 'Bearer wrong']) {
      expect((await ask(cluster, 1, 'schema', { headers: { authorization } })).status).toBe(401);
    }
    expect((await ask(cluster, 1, 'schema')).status).toBe(200);
  });

  test('show their memory', () => {
    for (const node of [0, 1, 2]) expect(cluster.memory(node)).toBeGreaterThan(10_000_000);
  });

  test.each([0, 2])('answer and accept writes without node %i, which has them once it is back', async (killed) => {
    const name = `Without${killed}`;
    const other = 1;
    await createCollection(cluster, other, name);
    await until(async () => (await ask(cluster, killed, `schema/${name}`)).ok);
    expect(await createObject(cluster, other, name, 'A')).toBe(true);
    await cluster.kill(killed);
    await expect(ask(cluster, killed, 'nodes')).rejects.toThrow('fetch failed');
    await untilWithFailures(() => createObject(cluster, other, name, 'B'));
    await untilWithFailures(async () => (await textsOf(cluster, other, name)) === 'A B');
    await cluster.restart(killed);
    await untilWithFailures(async () => (await textsOf(cluster, killed, name)) === 'A B');
  });

  test('a paused node answers nothing until it is resumed', async () => {
    cluster.pause(2);
    await expect(ask(cluster, 2, '.well-known/live', { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    cluster.resume(2);
    expect((await ask(cluster, 2, '.well-known/live')).status).toBe(200);
  });

  test('all come back after all were killed', async () => {
    await createCollection(cluster, 0, 'Kept');
    await untilWithFailures(() => createObject(cluster, 0, 'Kept', 'A'));
    for (const node of [0, 1, 2]) await cluster.kill(node);
    expect(() => cluster.memory(0)).toThrow('node1 does not run: restart it first');
    await cluster.restart(0, 1, 2);
    await untilWithFailures(async () => (await textsOf(cluster, 1, 'Kept')) === 'A');
  });

  test('a node that does not exist is refused', async () => {
    await expect(cluster.restart(3)).rejects.toThrow('There is no node 3: the cluster has nodes 0 to 2.');
  });
});

test('one node without a key is open to anybody, and stopping removes its data', async () => {
  const cluster = await startCluster({ nodes: 1 });
  onTestFinished(() => cluster.stop());
  expect((await fetch(`http://${cluster.hosts[0]?.http}/v1/schema`)).status).toBe(200);
  await cluster.stop();
  expect(existsSync(cluster.folder)).toBe(false);
});

test('a node that ends reports why, with the end of its log', async () => {
  const failing = startCluster({ nodes: 1, env: { RAFT_HEARTBEAT_TIMEOUT: 'soon' } });
  await expect(failing).rejects.toThrow(/node1 ended before it was ready.*RAFT_HEARTBEAT_TIMEOUT/s);
});

test('a cluster that is not ready in time shows the end of the logs', async () => {
  // The node waits for two others that never start.
  const env = { RAFT_JOIN: 'node1:15001,node2:15003,node3:15005', RAFT_BOOTSTRAP_EXPECT: '3' };
  const lonely = startCluster({ nodes: 1, env, deadline: 3_000 });
  await expect(lonely).rejects.toThrow(
    /After 3000 ms, not every one of node1 is ready.*The end of their logs:\nnode1:/s,
  );
});

test('ports of nodes differ, and are below those that systems assign', async () => {
  const ports = (await freePorts(5)).flatMap((each) => Object.values(each));
  expect(new Set(ports).size).toBe(30);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
