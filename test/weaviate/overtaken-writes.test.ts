import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { WeaviateContents } from '#src/weaviate/contents/weaviate-contents.js';
import { WeaviateFileRecords } from '#src/weaviate/files/weaviate-file-records.js';
import { WeaviateUploadAddresses } from '#src/weaviate/files/weaviate-upload-addresses.js';
import { KeyLocks } from '#src/weaviate/records/key-locks.js';
import { botOf, fileOf, recordOf } from '../storage/file-records-contract.js';
import { describeWithCluster } from './with-cluster.js';

const FUTURE = new Date(Date.now() + 3_600_000).toISOString();

describeWithCluster((cluster) => {
  /** The records of a new bot's files, as two processes have them: `meanwhile` runs when the first has read a head. */
  const opened = async () => {
    const recordsOf = (bot: string, through: Cluster) => {
      const writer = () => Promise.reject(new Error('No file of these tests has passages'));
      return new WeaviateFileRecords(through, { bot, locks: new KeyLocks(), writer });
    };
    const ports = {
      accounts: new WeaviateAccounts(cluster()),
      contents: new WeaviateContents(cluster()),
      uploads: new WeaviateUploadAddresses(cluster()),
      fileRecords: async (bot: string) => recordsOf(bot, cluster()),
    };
    const { bot, stage, records: other } = await botOf(ports);
    const interrupted = (meanwhile: () => Promise<unknown>) => {
      const through = new Proxy(cluster(), {
        get(target, name) {
          const isMethod = Object.getOwnPropertyDescriptor(Cluster.prototype, name)?.value !== undefined;
          const value = Reflect.get(target, name, target);
          if (name !== 'body') return isMethod ? value.bind(target) : value;
          return async (...request: Parameters<Cluster['body']>) => {
            const body = await target.body(...request);
            const work = meanwhile;
            meanwhile = async () => {};
            await work();
            return body;
          };
        },
      });
      return recordsOf(bot, through);
    };
    return { ports, stage, other, interrupted };
  };

  it('an upload of a file without passages is not lost to a change by another process', async () => {
    const { stage, other, interrupted } = await opened();
    const { id } = await recordOf(other.upsert(fileOf('a.md'), await stage('a')));
    const content = await stage('bcd');
    const first = interrupted(() => other.upsert(fileOf('a.md', { tags: { of: 'b' } }), content));
    const patched = await first.patch(id, { tags: { area: 'cellar' }, metadata: {} });
    expect(patched).toMatchObject({ tags: { of: 'b', area: 'cellar' }, size: 3 });
    expect(await other.find(id)).toEqual(patched);
  });

  it('of two changes through two processes, an announced upload gets both', async () => {
    const { stage, other, interrupted } = await opened();
    const { id } = await recordOf(other.upsert(fileOf('a.md'), await stage('a')));
    const address = { hash: randomUUID(), expiresAt: FUTURE };
    await recordOf(other.announce(fileOf('a.md', { accessPolicies: ['public_content'] }), { address }));
    const none = { tags: {}, metadata: {} };
    const first = interrupted(() => other.patch(id, { ...none, accessPolicies: [] }));
    await first.patch(id, { ...none, tags: { area: 'cellar' } });
    const received = await other.receive({ hash: address.hash, since: new Date().toISOString() }, await stage('b'));
    expect(received).toMatchObject({ tags: { area: 'cellar' }, accessPolicies: [] });
  });

  it('addresses of a new file that two processes announce accept uploads', async () => {
    const { ports, other, interrupted } = await opened();
    const [one, two] = [randomUUID(), randomUUID()].map((hash) => ({ hash, expiresAt: FUTURE }));
    const first = interrupted(() => other.announce(fileOf('a.md'), { address: two }));
    const { id } = await recordOf(first.announce(fileOf('a.md'), { address: one }));
    for (const address of [one, two]) {
      const used = { hash: address?.hash ?? '', since: new Date().toISOString() };
      expect(await ports.uploads.find(used)).toMatchObject({ id });
    }
  });
});
