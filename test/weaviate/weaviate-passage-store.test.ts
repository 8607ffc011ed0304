import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { stemOf } from '#src/sqlite/postings/stems.js';
import type { PassageStore, StoredFile } from '#src/storage/passage-store.js';
import { queryTerms } from '#src/text/query-terms.js';
import { Cluster } from '#src/weaviate/connection/cluster.js';
import { ContentPieces } from '#src/weaviate/contents/content-pieces.js';
import type { FileHead } from '#src/weaviate/files/file-head.js';
import { FileHeads } from '#src/weaviate/files/file-heads.js';
import { openPassageStore } from '#src/weaviate/passages/open-passage-store.js';
import { KeyLocks } from '#src/weaviate/records/key-locks.js';
import { FILES } from '#src/weaviate/schema/collections.js';
import { createBotTenants } from '#src/weaviate/schema/tenants.js';
import { describePassageStore } from '../storage/passage-store-contract.js';
import { at, embedAll, fileToPut, putNow } from '../support/file-to-put.js';
import { describeWithCluster } from './with-cluster.js';

describeWithCluster((cluster) => {
  const create = (): Promise<PassageStore> => open(cluster());

  const open = async (opened: Cluster, bot = randomUUID()): Promise<PassageStore> => {
    await createBotTenants(opened, bot);
    const model = { fingerprint: 'angles', dimensions: 2 };
    return openPassageStore(opened, {
      bot,
      model,
      stem: stemOf,
      locks: new KeyLocks(),
      checkModel: async () => {},
      sweepModels: async () => {},
    });
  };

  describePassageStore('the store in a cluster', create);

  it('a failed search rejects once, and leaves no unhandled rejection', async () => {
    const closed = await Cluster.open({ hosts: cluster().hosts });
    const store = await open(closed);
    closed.close();
    const search = store.retrieve({ lexical: queryTerms('apples'), paths: ['*.md'], limit: 10 });
    await expect(search).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  });

  /** A store of two files; of the first one, the cluster has lost the text and what is read of the passages. */
  async function withLostText(): Promise<PassageStore> {
    const bot = randomUUID();
    const store = await open(cluster(), bot);
    for (const name of ['a.md', 'b.md']) await putNow(store, fileToPut(name, ['10']));
    await embedAll(store);
    const { generation } = (await new FileHeads(cluster(), bot).find('a.md')) ?? {};
    await new ContentPieces(cluster(), bot).remove(String(generation));
    return store;
  }

  it('a file of which the cluster lacks a part is refused by name, and is not written over', async () => {
    const store = await withLostText();
    const files = await store.files();
    const lost = {
      code: 'DATABASE_DAMAGED',
      message:
        'Parts of "a.md" are missing in the cluster: try again once all nodes are up, ' +
        'or upload or index the file again.',
    };
    await expect(store.text('a.md')).rejects.toMatchObject(lost);
    const moved = { ...(files[0] as StoredFile), key: 'c.md' };
    await expect(store.touch(moved, moved)).rejects.toMatchObject(lost);
    expect(await store.files()).toEqual(files);
    await putNow(store, fileToPut('a.md', ['10']));
    expect((await store.text('a.md'))?.text).toBe('10');
  });

  it('an answer leaves out what a replica lacks of a passage, and still ends', async () => {
    const store = await withLostText();
    const { candidates } = await store.retrieve({ embedding: Promise.resolve(at(10)), limit: 10 });
    const { passages, missing } = await store.read(
      candidates.map(({ id, cosine }) => ({ id, sum: cosine })),
      { limit: 10, context: 1 },
    );
    expect([passages.map(({ file }) => file.key), missing]).toEqual([['b.md'], 1]);
  });

  it('passages of a file that is not searched take no places among the candidates', async () => {
    const bot = randomUUID();
    const store = await open(cluster(), bot);
    const lines = Array.from({ length: 30 }, (_, i) => `10 apples of row ${i}`);
    await putNow(store, fileToPut('a.md', lines));
    await putNow(store, fileToPut('b.md', ['40 apples']));
    await embedAll(store);
    const heads = new FileHeads(cluster(), bot);
    const head = (await heads.find('a.md')) as FileHead;
    await heads.put({ ...head, status: 'indexing_failed', version: head.version + 1 }, head);
    const asked = [
      { embedding: Promise.resolve(at(10)) },
      { lexical: queryTerms('apples') },
      { lexical: queryTerms('apples'), paths: ['*.md'] },
    ];
    for (const query of asked) {
      const { candidates } = await store.retrieve({ ...query, limit: 20 });
      const read = await store.read(
        candidates.map(({ id }) => ({ id, sum: 1 })),
        { limit: 20, context: 0 },
      );
      expect(read.passages.map(({ file }) => file.key)).toEqual(['b.md']);
    }
  });

  it('a file that another process replaces while its times are recorded has one version, whole', async () => {
    const bot = randomUUID();
    const other = await open(cluster(), bot);
    await putNow(other, fileToPut('a.md', ['10']));
    const own = await Cluster.open({ hosts: cluster().hosts });
    onTestFinished(() => own.close());
    const store = await open(own, bot);
    const before = (await store.file('a.md')) as StoredFile;
    const insert = own.insert.bind(own);
    own.insert = async (place, objects) => {
      if (place.collection === FILES) {
        own.insert = insert;
        await putNow(other, fileToPut('a.md', ['20']));
      }
      await insert(place, objects);
    };
    expect(await store.touch(before, { ...before, mtime: 2000 })).toBe(true);
    expect((await store.text('a.md'))?.text).toBe('10');
    expect((await store.counts()).passages).toBe(1);
  });

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
