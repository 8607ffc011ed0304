import { expect, it, onTestFinished } from 'vitest';
import type { FolderRecord, Folders } from '#src/storage/folders.js';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { WeaviateFolders } from '#src/weaviate/bots/weaviate-folders.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { overlapping } from './overlapping.js';
import { describeWithCluster } from './with-cluster.js';

const DOCS: FolderRecord = { folder: 'docs', name: '', tags: {}, tagRules: [], ignore: [], seenAt: null };

describeWithCluster((cluster) => {
  async function newBot(): Promise<string> {
    const { bots } = new WeaviateAccounts(cluster());
    const { id } = await bots.create({ name: undefined, tags: {}, workspace: undefined });
    onTestFinished(() => bots.remove(id));
    return id;
  }

  const ofBot = (bot: string) => ({ cluster: cluster(), open: (it: Cluster) => new WeaviateFolders(it, bot) });

  it('a folder that is dropped while another process marks it as seen stays dropped', async () => {
    const bot = await newBot();
    const folders = new WeaviateFolders(cluster(), bot);
    await folders.put(DOCS);
    const second = (other: Folders) => other.remove('docs');
    await overlapping(ofBot(bot), (one) => one.markSeen('docs', 7), { after: 'body', second });
    expect(await folders.list()).toEqual([]);
  });

  it('of two processes that record a new folder at once, the later one is told that it is known', async () => {
    const bot = await newBot();
    const none = { expected: undefined };
    const second = (other: Folders) => other.put({ ...DOCS, name: 'handbook' }, none);
    const both = await overlapping(ofBot(bot), (one) => one.put({ ...DOCS, tags: { a: '1' } }, none), {
      after: 'body',
      second,
    });
    expect(both).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: false },
    ]);
    expect(await new WeaviateFolders(cluster(), bot).list()).toEqual([{ ...DOCS, tags: { a: '1' } }]);
  });

  it('of two processes that give one name to two folders at once, one succeeds', async () => {
    const bot = await newBot();
    const named = (folder: string) => (folders: Folders) => folders.put({ ...DOCS, folder, name: 'handbook' });
    const both = await overlapping(ofBot(bot), named('docs'), { after: 'roundTrip', second: named('wiki') });
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await new WeaviateFolders(cluster(), bot).list()).map(({ name }) => name)).toEqual(['handbook']);
  });

  it('a process that has died while it changed a folder does not keep others waiting', async () => {
    const bot = await newBot();
    const lost = new Error('The process has died.');
    // Neither the change nor the withdrawal of its claim arrives.
    const dying = new Proxy(cluster(), {
      get(target, name) {
        if (name === 'body' || name === 'deleteWhere') return () => Promise.reject(lost);
        const isMethod = Object.getOwnPropertyDescriptor(Cluster.prototype, name)?.value !== undefined;
        const value = Reflect.get(target, name, target);
        return isMethod ? value.bind(target) : value;
      },
    });
    const now = Date.now;
    Date.now = () => now() - 61_000;
    onTestFinished(() => {
      Date.now = now;
    });
    await expect(new WeaviateFolders(dying, bot).markSeen('docs', 7)).rejects.toThrow('The process has died.');
    Date.now = now;
    const folders = new WeaviateFolders(cluster(), bot);
    await folders.put(DOCS);
    expect(await folders.list()).toEqual([DOCS]);
  });
});
