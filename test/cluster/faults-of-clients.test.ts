import { randomUUID } from 'node:crypto';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { mayMount, type SmallDisk, smallDisk } from '../reliability/small-disk.js';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';
import { type PortProxy, startProxy } from './proxy.js';
import { CATCH_UP_SOON, type Cluster, startCluster } from './start.js';

const API_KEY = 'key-of-the-tests';

/** Megabytes of the disk of the last node, if one can be mounted; the node fills much of it as soon as it runs. */
const DISK = 600;

let cluster: Cluster;
let disk: SmallDisk | undefined;

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-cluster-'));
  if (mayMount()) {
    disk = smallDisk(DISK);
    symlinkSync(disk.folder, path.join(folder, 'node3'));
  }
  cluster = await startCluster({ apiKey: API_KEY, folder, env: CATCH_UP_SOON });
});

afterAll(async () => {
  await cluster?.stop();
  disk?.unmount();
});

/** The addresses of the nodes, in their order. */
function addresses(): string[] {
  return cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
}

async function engineAt(hosts: readonly string[], options: { apiKey?: string; consistency?: 'ONE' } = {}) {
  const engine = await openEngine({ cluster: { hosts, apiKey: API_KEY, ...options }, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  return engine;
}

/** Proxies in front of a node, and its address through them. */
async function behindProxies(node: number): Promise<{ address: string; proxies: readonly PortProxy[] }> {
  const { http, grpc } = cluster.hosts[node] as Cluster['hosts'][0];
  const proxies = [await startProxy(Number(http.split(':')[1])), await startProxy(grpc)];
  onTestFinished(async () => {
    for (const proxy of proxies) await proxy.close();
  });
  return { address: `http://127.0.0.1:${proxies[0]?.port}?grpc=${proxies[1]?.port}`, proxies };
}

/** The contents that a search finds. */
async function found(engine: SearchEngine, query: string): Promise<string[]> {
  return (await engine.search(query)).map(({ passage }) => passage.content);
}

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error as { code: string; message: string };
}

describe('a wrong key', () => {
  it('is one clear error of the engine and of the command, without the key', async () => {
    for (const apiKey of ['wrong-key', undefined]) {
      const opened = openEngine({ cluster: { hosts: addresses(), apiKey }, model: createHashEmbedder() });
      expect(await errorOf(opened)).toMatchObject({
        code: 'CLUSTER_UNAUTHORIZED',
        message:
          'The cluster does not accept the API key: check it, and what it may do. ' +
          `The cluster is ${addresses().join(', ')}.`,
      });
    }
    const env = { WAYMARK_CLUSTER_API_KEY: 'wrong-key' };
    const { code, stderr, stdout } = await waymark(['search', 'pump', '--cluster', addresses().join(',')], {
      cwd: folderOf(),
      env,
    });
    expect([stdout, stderr, code]).toEqual(['', expect.stringContaining('does not accept the API key'), 4]);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stderr).not.toContain('wrong-key');
  });
});

describe('a slow node', () => {
  it('makes searches slower, not wrong', async () => {
    const { address, proxies } = await behindProxies(0);
    const engine = await engineAt([address, ...addresses().slice(1)]);
    await engine.indexFile('slow.md', 'snails');
    for (const proxy of proxies) proxy.delay = 25;
    expect(await found(engine, 'snails')).toEqual(['snails']);
    await engine.indexFile('slow.md', 'slow snails');
    expect(await found(engine, 'snails')).toEqual(['slow snails']);
    await engine.removeFile('slow.md');
  });
});

describe('a network that loses all packets between a client and a node', () => {
  it('leaves searches and changes to the other nodes, and is one clear error if there are no other nodes', async () => {
    const { address, proxies } = await behindProxies(0);
    const [engine, alone] = [await engineAt([address, ...addresses().slice(1)]), await engineAt([address])];
    await engine.indexFile('lost.md', 'packets');
    for (const proxy of proxies) proxy.mode = 'drop';
    const [, refused] = await Promise.all([
      engine.indexFile('lost.md', 'lost packets'),
      errorOf(found(alone, 'packets')),
    ]);
    expect(refused).toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: `No node of the cluster answers: check the addresses, and that the nodes run. The cluster is ${address}.`,
    });
    expect(await found(engine, 'packets')).toEqual(['lost packets']);
    for (const proxy of proxies) proxy.mode = 'forward';
    expect(await found(alone, 'packets')).toEqual(['lost packets']);
    await engine.removeFile('lost.md');
  });
});

describe('a full disk of one node', () => {
  it.runIf(mayMount())(
    'refuses changes with the name of the node, and changes nothing, until there is space',
    async () => {
      const engine = await engineAt(addresses());
      await engine.indexFile('a.md', 'apples');
      disk?.begin();
      const message =
        'The disk of node3 in the cluster is nearly full, and takes no changes: free space on it, and restart the node.';
      const full = { code: 'DISK_FULL', message };
      // The node looks at its disk twice a second: until then it takes changes, or fails in the middle of one.
      await until(async () => {
        const error = await errorOf(engine.indexFile('probe.md', `probe ${randomUUID()}`));
        if (error) expect(error.code).toBe('DISK_FULL');
        return error?.message === message;
      });
      for (const call of [
        () => engine.indexFile('a.md', 'pears'),
        () => engine.indexFile('b.md', 'pears'),
        () => engine.removeFile('a.md'),
      ]) {
        expect(await errorOf(call())).toMatchObject(full);
      }
      for (const host of addresses()) {
        expect(await found(await engineAt([host]), 'apples pears')).toEqual(expect.arrayContaining(['apples']));
      }
      expect(await found(engine, 'pears')).not.toContain('pears');
      disk?.end();
      await cluster.restart(2);
      await until(async () => (await errorOf(engine.indexFile('a.md', 'pears'))) === undefined);
      expect(await found(engine, 'apples pears')).toContain('pears');
      for (const key of ['a.md', 'probe.md']) await engine.removeFile(key);
    },
  );
});

describe('a node that is cut off from the others', () => {
  // Paused: it keeps its connections, but sends and receives nothing, as in a partitioned network. Unlike there,
  // clients cannot reach it either.
  it('leaves searches and changes to the majority, and catches up', async () => {
    const [engine, other] = [await engineAt(addresses()), await engineAt(addresses().reverse())];
    await engine.indexFile('cut.md', 'before');
    cluster.pause(2);
    try {
      await engine.indexFile('cut.md', 'after');
      expect(await found(engine, 'before after')).toEqual(['after']);
      // Its first address is that of the node.
      expect(await found(other, 'before after')).toEqual(['after']);
    } finally {
      cluster.resume(2);
    }
    // Until the node has received in the background what it missed, searches on it find less.
    const alone = await engineAt(addresses().slice(2));
    await until(async () => (await found(alone, 'before after')).join() === 'after');
    await engine.removeFile('cut.md');
  });
});

describe('with two nodes of three killed', () => {
  it('searches go on with consistency ONE, and fail with one clear error with QUORUM', async () => {
    const one = await engineAt(addresses(), { consistency: 'ONE' });
    const quorum = await engineAt(addresses());
    await one.indexFile('kept.md', 'kept');
    for (const node of [1, 2]) await cluster.kill(node);
    await until(async () => (await errorOf(found(one, 'kept'))) === undefined);
    expect(await found(one, 'kept')).toEqual(['kept']);
    // Weaviate waits for the others until the request has taken too long.
    expect(await errorOf(found(quorum, 'kept'))).toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringMatching(/^(?:Too few replicas are up|No node of the cluster answers): /),
    });
    expect(await found(one, 'kept')).toEqual(['kept']);
    await cluster.restart(1, 2);
    await until(async () => (await errorOf(found(quorum, 'kept'))) === undefined);
    expect(await found(quorum, 'kept')).toEqual(['kept']);
  });
});
