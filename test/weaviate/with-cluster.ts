import { afterAll, beforeAll, describe } from 'vitest';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { prepareSchema } from '#src/weaviate/schema/prepare-schema.js';

const hosts = process.env.WAYMARK_TEST_CLUSTER?.split(',');

/** Describes what needs a cluster; it is skipped where no variable names one. */
export function describeWithCluster(body: (cluster: () => Cluster) => void): void {
  describe.skipIf(!hosts)('with a cluster, which WAYMARK_TEST_CLUSTER names', () => {
    let cluster: Cluster;

    beforeAll(async () => {
      cluster = await Cluster.open({ hosts: hosts ?? [] });
      await prepareSchema(cluster, undefined);
    });

    afterAll(() => cluster.close());

    body(() => cluster);
  });
}
