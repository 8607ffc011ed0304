import { expect, it, onTestFinished } from 'vitest';
import { type Examination, examine } from 'waymark';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { removeBotData } from '#src/weaviate/schema/tenants.js';
import { until } from '../support/until.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  it('a partly deleted bot is reported, and the others are examined', async () => {
    const { bots } = new WeaviateAccounts(cluster());
    const { id } = await bots.create({ name: `half ${Date.now()}`, tags: {}, workspace: undefined });
    onTestFinished(() => bots.remove(id));
    await removeBotData(cluster(), id);
    let findings: Examination['findings'] = [];
    // Other nodes hear of a deletion a moment later.
    await until(async () => {
      ({ findings } = await examine({ cluster: { hosts: cluster().hosts }, bot: id }));
      return findings.some(({ state }) => state === 'damaged');
    });
    expect(findings).toMatchObject([
      { check: 'cluster', state: 'ok' },
      {
        check: 'passages',
        state: 'damaged',
        message: 'It was deleted in part: the call that deletes it did not end.',
        remedy: `waymark bot delete ${id}`,
      },
    ]);
  });
});
