import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { at, embedAll, fileToPut, putNow } from '../../support/file-to-put.js';
import { storeOf } from '../../support/store.js';
import { clusteredStore, nearest, snapshotIn, vectorCacheOf } from './graphs.js';

test("'auto' is exact up to 1,500,000 vectors and HNSW above; 'exact' and 'hnsw' are what they say", async () => {
  const { connection } = await storeOf();
  const kinds = (kind: 'auto' | 'exact' | 'hnsw') =>
    [0, 1_500_000, 1_500_001].map((count) => vectorCacheOf(connection, { kind }).kind(count));
  expect([kinds('auto'), kinds('exact'), kinds('hnsw')]).toEqual([
    ['exact', 'exact', 'hnsw'],
    ['exact', 'exact', 'exact'],
    ['hnsw', 'hnsw', 'hnsw'],
  ]);
});

test('all passages of a large file are loaded, whatever the numbers of the file and its passages', async () => {
  const one = await storeOf();
  for (let i = 0; i < 600; i++) await putNow(one.store, fileToPut(`empty-${i}.md`, []));
  await putNow(one.store, fileToPut('large.md', Array(1600).fill('10')));
  await embedAll(one.store);
  const other = await storeOf({ file: one.file });
  expect(await nearest(other.store, at(0), 9999)).toHaveLength(1600);
});

test('while vectors are loaded, a file of another bot that gets the number of a removed one is left out', async () => {
  const one = await storeOf();
  for (let i = 0; i < 20; i++) await putNow(one.store, fileToPut(`${i}.md`, Array(50).fill('10')));
  await putNow(one.store, fileToPut('last.md', ['10']));
  await embedAll(one.store);
  const other = await storeOf({ file: one.file, bot: 'other' });
  const found = nearest((await storeOf({ file: one.file })).store, at(0), 9999);
  // The first thousand of its vectors are read in two turns.
  await setImmediate();
  await setImmediate();
  await one.store.remove('last.md');
  await putNow(other.store, fileToPut('other.md', ['0']));
  await embedAll(other.store);
  expect(await found).toHaveLength(1000);
});

test('of searches that wait while vectors are loaded, one goes on in each turn of the event loop', async () => {
  const one = await storeOf();
  await putNow(one.store, fileToPut('a.md', Array(100).fill('10')));
  await embedAll(one.store);
  const { store } = await storeOf({ file: one.file });
  let turn = 0;
  let areAnswered = false;
  const searches = Array.from({ length: 5 }, () => nearest(store, at(0), 9).then(() => turn));
  const all = Promise.all(searches).finally(() => {
    areAnswered = true;
  });
  for (; !areAnswered; turn += 1) await setImmediate();
  expect(new Set(await all).size).toBe(5);
});

describe.each(['exact', 'hnsw'] as const)('a vector cache (%s)', (kind) => {
  it('is loaded again if the change log does not reach back to it', async () => {
    const one = await storeOf({ kind });
    await putNow(one.store, fileToPut('a.md', ['10', '20']));
    await embedAll(one.store);
    const other = await storeOf({ file: one.file, kind });
    expect(await nearest(other.store, at(0), 9)).toHaveLength(2);
    await putNow(one.store, fileToPut('a.md', ['20', '30', '40']));
    await embedAll(one.store);
    one.connection.exec(`DELETE FROM changes WHERE sequence < (SELECT max(sequence) FROM changes)`);
    expect(await nearest(other.store, at(0), 9)).toEqual([2, 3, 4]);
  });

  it('is searched as it was last loaded, even if that was while the query was embedded', async () => {
    const one = await storeOf({ kind });
    await putNow(one.store, fileToPut('a.md', ['10']));
    await embedAll(one.store);
    const { store } = await storeOf({ file: one.file, kind });
    let embed = (_embedding: Float32Array) => {};
    const embedding = new Promise<Float32Array>((resolve) => {
      embed = resolve;
    });
    const found = store.retrieve({ embedding, limit: 9 });
    expect(await nearest(store, at(0), 9)).toEqual([1]);
    await putNow(one.store, fileToPut('b.md', ['20']));
    await embedAll(one.store);
    one.connection.exec(`DELETE FROM changes WHERE sequence < (SELECT max(sequence) FROM changes)`);
    expect(await nearest(store, at(0), 9)).toEqual([1, 2]);
    embed(at(0));
    expect((await found).candidates.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('follows thousands of changes by another connection', async () => {
    const one = await storeOf({ kind });
    const other = await storeOf({ file: one.file, kind });
    await putNow(one.store, fileToPut('a.md', ['5']));
    await embedAll(one.store);
    expect(await nearest(other.store, at(0), 9)).toHaveLength(1);
    await putNow(one.store, fileToPut('b.md', Array(2500).fill('10')));
    await putNow(one.store, fileToPut('c.md', ['0']));
    await embedAll(one.store);
    const [best = 0] = await nearest(other.store, at(0), 2);
    const { passages } = await other.store.read([{ id: best, sum: 1 }], { limit: 1, context: 0 });
    expect([passages[0]?.file.key, (await nearest(other.store, at(0), 9999)).length]).toEqual(['c.md', 2502]);
  });

  it.each([
    ['too short', Buffer.alloc(4)],
    ['of odd bytes', Buffer.alloc(7)],
    ['of length zero', Buffer.alloc(8)],
    ['not a number', Buffer.alloc(8, 0xff)],
  ])('throws DATABASE_DAMAGED for a stored embedding that is %s', async (_name, vector) => {
    const one = await storeOf({ kind });
    await putNow(one.store, fileToPut('a.md', ['10', '20']));
    await embedAll(one.store);
    one.connection.prepare<[Buffer]>(`UPDATE embeddings SET vector = ? WHERE number = 2`).run(vector);
    const { store } = await storeOf({ file: one.file, kind });
    await expect(nearest(store, at(0), 1)).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: 'The embedding of passage 1 of a.md is damaged in the database: repair it with: waymark doctor --repair',
    });
  });
});

test('compaction keeps the last 10,000 changes of the log', async () => {
  const { store, connection } = await storeOf();
  await putNow(store, fileToPut('a.md', Array(10_010).fill('10')));
  await embedAll(store);
  await store.compact();
  const log = connection.prepare(`SELECT count(*) AS changes, max(sequence) AS newest FROM changes`).get();
  expect(log).toEqual({ changes: 10_000, newest: 10_010 });
});

test('a flush completes the graph while searches are answered, and stops with its signal', async () => {
  const { store, file, vectors } = await clusteredStore(2000, 128);
  const stop = new AbortController();
  const flushing = expect(store.flush({ signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await nearest(store, vectors[1999] ?? at(0), 1)).toEqual([2000]);
  stop.abort();
  await flushing;
  expect(snapshotIn(file)).toBeUndefined();
  await store.flush();
  expect(snapshotIn(file)).toMatchObject({ stored: 1 });
});
