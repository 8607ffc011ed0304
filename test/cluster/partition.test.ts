import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { until } from '../support/until.js';
import { noNetworks, type Way } from './network.js';
import { CATCH_UP_SOON, type Cluster, startCluster } from './start.js';

const reason = noNetworks();
if (reason) console.log(`The tests of parted networks are skipped. ${reason}`);

/** The node that is cut off, and the others. */
const CUT = 2;
const OTHERS = [0, 1];

const TO: readonly Way[] = OTHERS.map((node) => ({ from: node, to: CUT }));
const FROM: readonly Way[] = OTHERS.map((node) => ({ from: CUT, to: node }));

describe.skipIf(reason)('in a network between nodes', () => {
  let cluster: Cluster;
  const engines: SearchEngine[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ hasNetwork: true, env: CATCH_UP_SOON });
  });

  afterEach(() => cluster?.network?.heal());

  afterAll(async () => {
    for (const engine of engines) await engine.close();
    await cluster?.stop();
  });

  function addressOf(node: number): string {
    const { http, grpc } = cluster.hosts[node] as Cluster['hosts'][0];
    return `http://${http}?grpc=${grpc}`;
  }

  /** An engine that reaches some nodes. */
  async function engineAt(...nodes: readonly number[]): Promise<SearchEngine> {
    const engine = await openEngine({ cluster: { hosts: nodes.map(addressOf) }, model: createHashEmbedder() });
    engines.push(engine);
    return engine;
  }

  /** How many nodes a node has not forgotten. */
  async function knownTo(node: number): Promise<number> {
    const response = await fetch(`http://${cluster.hosts[node]?.http}/v1/nodes`);
    const { nodes = [] } = (await response.json()) as { nodes?: readonly unknown[] };
    return nodes.length;
  }

  async function found(engine: SearchEngine, query: string): Promise<string[]> {
    return (await engine.search(query)).map(({ passage }) => passage.content);
  }

  it.each([
    ['to and from a node', [...TO, ...FROM]],
    ['from a node', FROM],
  ])('that loses all packets %s, the majority goes on, and the node is not used while it is alone', async (_, ways) => {
    const [majority, all, alone] = [await engineAt(...OTHERS), await engineAt(CUT, ...OTHERS), await engineAt(CUT)];
    await majority.indexFile('cut.md', 'before');
    expect(await found(alone, 'before after')).toEqual(['before']);

    for (const way of ways) cluster.network?.lose(way);
    await until(async () => (await knownTo(CUT)) === 1 && (await knownTo(0)) === 2);
    await majority.indexFile('cut.md', 'after');
    const refusal = {
      code: 'CLUSTER_UNAVAILABLE',
      message:
        `The node ${addressOf(CUT)} sees 1 of 3 nodes: start those that are down, and restart it if it was cut off ` +
        `from them. The cluster is ${addressOf(CUT)}.`,
    };
    await expect(found(alone, 'before after')).rejects.toMatchObject(refusal);
    await expect(alone.indexFile('cut.md', 'alone')).rejects.toMatchObject(refusal);
    expect(await found(all, 'before after alone')).toEqual(['after']);
    expect(await found(majority, 'before after alone')).toEqual(['after']);
    expect((await majority.status()).nodes?.map(({ name, isHealthy }) => [name, isHealthy])).toEqual([
      ['node1', true],
      ['node2', true],
      ['node3', false],
    ]);

    cluster.network?.heal();
    // Weaviate finds forgotten nodes again by luck only.
    const answer = await found(alone, 'before after alone').catch(({ code }) => [code]);
    expect(['after', 'CLUSTER_UNAVAILABLE']).toContain(answer.join());
    expect(await found(majority, 'before after alone')).toEqual(['after']);

    await cluster.restart(CUT);
    await until(async () => (await found(alone, 'before after alone')).join() === 'after');
    await majority.removeFile('cut.md');
  });

  it('a change made while packets begin to be lost is acknowledged and found, or fails', async () => {
    const [majority, all] = [await engineAt(...OTHERS), await engineAt(CUT, ...OTHERS)];
    await majority.indexFile('kept.md', 'first');
    for (const way of [...TO, ...FROM]) cluster.network?.lose(way);
    const outcomes = await Promise.all(
      ['second', 'third'].map((text, i) =>
        (i === 0 ? majority : all).indexFile(`${text}.md`, text).then(
          () => text,
          (error: { code: string }) => error.code,
        ),
      ),
    );
    cluster.network?.heal();
    await cluster.restart(CUT);
    for (const [i, text] of ['second', 'third'].entries()) {
      expect([text, 'CLUSTER_UNAVAILABLE']).toContain(outcomes[i]);
      if (outcomes[i] === text) await until(async () => (await found(majority, text)).includes(text));
    }
  });

  it('a node that sees two of three nodes gone refuses changes and searches', async () => {
    const engine = await engineAt(0);
    await engine.indexFile('left.md', 'left');
    for (const node of [1, 2]) await cluster.kill(node);
    await until(async () => (await knownTo(0)) === 1);
    const refusal = {
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringMatching(/^The node \S+ sees 1 of 3 nodes: /),
    };
    await expect(engine.indexFile('left.md', 'changed')).rejects.toMatchObject(refusal);
    await expect(found(engine, 'left')).rejects.toMatchObject(refusal);
    await cluster.restart(1, 2);
    await until(async () => (await found(engine, 'left changed').catch(() => [] as string[])).includes('left'));
    expect(await found(engine, 'left changed')).not.toContain('changed');
  });
});
