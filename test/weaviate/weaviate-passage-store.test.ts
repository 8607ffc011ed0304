import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { stemOf } from '#src/sqlite/postings/stems.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { KeyLocks } from '#src/weaviate/files/key-locks.js';
import { openPassageStore } from '#src/weaviate/passages/open-passage-store.js';
import { prepareSchema } from '#src/weaviate/schema/prepare-schema.js';
import { createBotTenants } from '#src/weaviate/schema/tenants.js';
import { describePassageStore } from '../storage/passage-store-contract.js';

const hosts = process.env.WAYMARK_TEST_CLUSTER?.split(',');

describe.skipIf(!hosts)('with a cluster, which WAYMARK_TEST_CLUSTER names', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.open({ hosts: hosts ?? [] });
    await prepareSchema(cluster, undefined);
  });

  afterAll(() => cluster.close());

  describePassageStore('the store in a cluster', async () => {
    const bot = randomUUID();
    await createBotTenants(cluster, bot);
    const model = { fingerprint: 'angles', dimensions: 2 };
    return openPassageStore(cluster, { bot, model, stem: stemOf, locks: new KeyLocks(), checkModel: async () => {} });
  });
});
