import { randomUUID } from 'node:crypto';
import { stemOf } from '#src/sqlite/postings/stems.js';
import { KeyLocks } from '#src/weaviate/files/key-locks.js';
import { openPassageStore } from '#src/weaviate/passages/open-passage-store.js';
import { createBotTenants } from '#src/weaviate/schema/tenants.js';
import { describePassageStore } from '../storage/passage-store-contract.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  describePassageStore('the store in a cluster', async () => {
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
  });
});
