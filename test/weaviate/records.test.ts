import { expect, it, onTestFinished } from 'vitest';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { Records } from '#src/weaviate/records/records.js';
import { RECORDS } from '#src/weaviate/schema/collections.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  it('lists more records than one query reaches', async () => {
    const { bots } = new WeaviateAccounts(cluster());
    const { id: bot } = await bots.create({ name: undefined, tags: {}, workspace: undefined });
    onTestFinished(() => bots.remove(bot));
    const records = new Records<number>(cluster(), { collection: RECORDS, tenant: bot, kind: 'number' });
    const numbers = Array.from({ length: 10_001 }, (_, i) => i);
    await records.put(...numbers.map((number) => ({ id: `${number}`, body: number })));
    const listed = await records.list();
    expect(listed.sort((a, b) => a - b)).toEqual(numbers);
  });
});
