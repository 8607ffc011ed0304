import { expect, it, onTestFinished } from 'vitest';
import { botRecords } from '#src/weaviate/accounts/bot-records.js';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { WeaviateKnowledgeBases } from '#src/weaviate/bots/weaviate-knowledge-bases.js';
import type { Cluster } from '#src/weaviate/connection/cluster.js';
import { overlapping } from './overlapping.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  const accounts = () => ({ cluster: cluster(), open: (it: Cluster) => new WeaviateAccounts(it) });

  async function newBot() {
    const { bots } = new WeaviateAccounts(cluster());
    const bot = await bots.create({ name: undefined, tags: {}, workspace: undefined });
    onTestFinished(() => bots.remove(bot.id));
    return bot;
  }

  it('tags that two processes give a bot at once are all kept', async () => {
    const { id } = await newBot();
    await overlapping(accounts(), ({ bots }) => bots.update(id, { name: undefined, tags: { a: '1' } }), {
      after: 'body',
      second: ({ bots }) => bots.update(id, { name: undefined, tags: { b: '2' } }),
    });
    expect((await new WeaviateAccounts(cluster()).bots.withId(id))?.tags).toEqual({ a: '1', b: '2' });
  });

  it('a bot that is renamed while another process marks it as indexed keeps its new name', async () => {
    const { id } = await newBot();
    const name = `handbook of ${id}`;
    await overlapping(accounts(), ({ bots }) => bots.markIndexed(id), {
      after: 'body',
      second: ({ bots }) => bots.update(id, { name, tags: {} }),
    });
    const found = await new WeaviateAccounts(cluster()).bots.withId(id);
    expect(found).toMatchObject({ name, deployedAt: expect.any(String) });
  });

  it('a bot whose record is removed while another process changes it stays removed', async () => {
    const { id } = await newBot();
    const records = { cluster: cluster(), open: (it: Cluster) => botRecords(it).bots };
    await overlapping(records, (bots) => bots.change(id, (bot) => ({ ...bot, tags: { a: '1' } })), {
      after: 'body',
      second: (bots) => bots.remove(id),
    });
    expect(await records.open(cluster()).find(id)).toBeUndefined();
  });

  it('a removal that others may have taken for abandoned is begun again before anything is removed', async () => {
    const { id } = await newBot();
    const now = Date.now;
    onTestFinished(() => {
      Date.now = now;
    });
    const { bots } = botRecords(cluster());
    const found: (string | undefined)[] = [];
    await bots.remove(id, async () => {
      found.push((await bots.find(id))?.id);
      if (found.length === 1) Date.now = () => now() + 31_000;
    });
    expect(found).toEqual([id, id]);
    expect(await bots.find(id)).toBeUndefined();
  });

  it('a knowledge base that is removed while another process changes it stays removed', async () => {
    const { id: bot } = await newBot();
    const bases = { cluster: cluster(), open: (it: Cluster) => new WeaviateKnowledgeBases(it, bot) };
    const { id } = await bases.open(cluster()).create({ name: 'handbook', tags: {} });
    await overlapping(bases, (one) => one.update(id, { name: 'guide', tags: {} }), {
      after: 'body',
      second: (other) => other.remove(id, 'unused'),
    });
    expect(await bases.open(cluster()).find(id)).toBeUndefined();
  });
});
