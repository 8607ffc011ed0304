import { expect, it, onTestFinished, vi } from 'vitest';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { Records } from '#src/weaviate/records/records.js';
import { RECORDS } from '#src/weaviate/schema/collections.js';
import { until } from '../support/until.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  /** The records of a new bot, read and written by a connection. */
  async function recordsOf(connection: Cluster) {
    const { bots } = new WeaviateAccounts(cluster());
    const { id: bot } = await bots.create({ name: undefined, tags: {}, workspace: undefined });
    onTestFinished(() => bots.remove(bot));
    return { bot, records: new Records<number>(connection, { collection: RECORDS, tenant: bot, kind: 'number' }) };
  }

  it('a record that could not be deleted is an error, although Weaviate answers with success', async () => {
    // A connection whose write has failed waits for fewer replicas for a while, so the other tests use another one.
    const own = await Cluster.open({ hosts: cluster().hosts });
    onTestFinished(() => own.close());
    const { bot, records } = await recordsOf(own);
    await records.put({ id: 'one', body: 1 });
    // Deletions fail while replicas are read-only.
    await setStatus(bot, 'READONLY');
    await expect(records.remove('one')).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' });
    await setStatus(bot, 'READY');
    await records.remove('one');
    expect(await records.list()).toEqual([]);
  });

  /** Sets the status of the records of a bot, and waits until all replicas have it. */
  async function setStatus(bot: string, status: 'READONLY' | 'READY'): Promise<void> {
    const shard = new URL(`/v1/schema/${RECORDS}/shards/${bot}`, cluster().hosts[0]);
    const headers = { 'content-type': 'application/json' };
    await fetch(shard, { method: 'PUT', headers, body: JSON.stringify({ status }) });
    await until(async () => {
      const nodes = await cluster().request((client) =>
        client.cluster.nodes({ collection: RECORDS, output: 'verbose' }),
      );
      const ofBot = nodes.flatMap(({ shards }) => shards ?? []).filter(({ name }) => name === bot);
      return ofBot.every(({ vectorIndexingStatus }) => vectorIndexingStatus === status);
    });
  }

  it('lists more records than one query reaches', async () => {
    const { records } = await recordsOf(cluster());
    const numbers = Array.from({ length: 10_001 }, (_, i) => i);
    await records.put(...numbers.map((number) => ({ id: `${number}`, body: number })));
    const listed = await records.list();
    expect(listed.sort((a, b) => a - b)).toEqual(numbers);
  });

  it('lists records that exist throughout, even if records before them are removed between two queries', async () => {
    const { records } = await recordsOf(cluster());
    const numbers = Array.from({ length: 1_500 }, (_, i) => i);
    await records.put(...numbers.map((number) => ({ id: `${number}`, body: number, stamp: number })));
    const { roundTrip } = Cluster.prototype;
    const query = vi.spyOn(cluster(), 'roundTrip').mockImplementationOnce(async (ask) => {
      const answer = await roundTrip.call(cluster(), ask);
      await records.remove('0', '1', '2');
      return answer;
    });
    onTestFinished(() => query.mockRestore());
    expect((await records.list()).slice(3)).toEqual(numbers.slice(3));
  });

  it('lists more records of one stamp than one query reads', async () => {
    const { records } = await recordsOf(cluster());
    const numbers = Array.from({ length: 2_500 }, (_, i) => i);
    await records.put(...numbers.map((number) => ({ id: `${number}`, body: number, stamp: Math.min(number, 100) })));
    const listed = await records.list();
    expect(listed.sort((a, b) => a - b)).toEqual(numbers);
  });
});
