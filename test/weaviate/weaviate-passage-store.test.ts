import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { stemOf } from '#src/sqlite/postings/stems.js';
import { queryTerms } from '#src/text/query-terms.js';
import { KeyLocks } from '#src/weaviate/files/key-locks.js';
import { openPassageStore } from '#src/weaviate/passages/open-passage-store.js';
import { createBotTenants } from '#src/weaviate/schema/tenants.js';
import { describePassageStore } from '../storage/passage-store-contract.js';
import { at, embedAll, fileToPut, putNow } from '../support/file-to-put.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  const create = async () => {
    const bot = randomUUID();
    await createBotTenants(cluster(), bot);
    const model = { fingerprint: 'angles', dimensions: 2 };
    return openPassageStore(cluster(), {
      bot,
      model,
      stem: stemOf,
      locks: new KeyLocks(),
      checkModel: async () => {},
      sweepModels: async () => {},
    });
  };

  describePassageStore('the store in a cluster', create);

  it('a search takes two round trips, and one more for words that it has not met', async () => {
    const store = await create();
    for (const name of ['a.md', 'b.md']) await putNow(store, fileToPut(name, ['10 apples', '20 pears']));
    await embedAll(store);
    const tripsOf = async (words: string) => {
      const before = cluster().roundTrips;
      const lexical = queryTerms(words);
      const { candidates } = await store.retrieve({ embedding: Promise.resolve(at(10)), lexical, limit: 10 });
      expect(candidates).toHaveLength(4);
      await store.read(
        candidates.map(({ id, cosine }) => ({ id, sum: cosine })),
        { limit: 4, context: 1 },
      );
      return cluster().roundTrips - before;
    };
    // The first one of a process also asks how much is stored.
    await tripsOf('apples');
    expect([await tripsOf('pears'), await tripsOf('pears'), await tripsOf('apples')]).toEqual([3, 2, 2]);
  });
});
