import { expect, test } from 'vitest';
import type { FileToPut, PassageStore } from '#src/storage/passage-store.js';
import { at, fileToPut, putNow } from '../support/file-to-put.js';
import { type OpenStore, storeOf } from '../support/store.js';

/** More passages than one portion takes. */
const LINES = Array.from({ length: 2000 }, (_, i) => `${i} plums`);
const LARGE = fileToPut('a.md', LINES);

async function holdingSmall(): Promise<OpenStore> {
  const open = await storeOf();
  await putNow(open.store, fileToPut('a.md', ['1 apple']));
  return open;
}

/** What is stored under `a.md`. */
async function stored(store: PassageStore): Promise<unknown> {
  const { files, passages } = await store.counts();
  return { files, passages, version: (await store.file('a.md'))?.version };
}

async function put(store: PassageStore, file: FileToPut, signal?: AbortSignal): Promise<boolean> {
  return store.put(file, { expected: await store.file(file.key), signal });
}

test('a put that is stopped between portions changes nothing, and the next one is stored', async () => {
  const { store } = await holdingSmall();
  const before = await stored(store);
  const stop = new AbortController();
  const expected = await store.file('a.md');
  const putting = store.put(LARGE, { expected, signal: stop.signal });
  expect(await stored(store)).toEqual(before);
  stop.abort();
  await expect(putting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await stored(store)).toEqual(before);
  expect(await put(store, LARGE)).toBe(true);
  expect(await stored(store)).toMatchObject({ files: 1, passages: 2000 });
});

test('a put that fails between portions changes nothing, and lets the next write go on', async () => {
  const { store } = await holdingSmall();
  const before = await stored(store);
  const embeddings = new Map(LINES.map((line, i) => [line, i === 1900 ? at(Number.NaN) : at(i)]));
  const failing = store.put(LARGE, { expected: await store.file('a.md'), embeddings });
  const next = store.put(fileToPut('b.md', ['2 pears']), { expected: undefined });
  await expect(failing).rejects.toMatchObject({ code: 'EMBEDDING_INVALID' });
  expect(await next).toBe(true);
  expect(await stored(store)).toEqual({ ...(before as object), files: 2, passages: 2 });
});

test('of two puts based on the same state, the first is stored and the second is refused', async () => {
  const { store } = await holdingSmall();
  const expected = await store.file('a.md');
  const both = [store.put(LARGE, { expected }), store.put(fileToPut('a.md', ['3 quinces']), { expected })];
  expect(await Promise.all(both)).toEqual([true, false]);
  expect(await stored(store)).toMatchObject({ files: 1, passages: 2000 });
});

test('removing a large file hides it from readers only at the end, with everything that only it used', async () => {
  const { store, connection } = await holdingSmall();
  await put(store, LARGE);
  const removing = store.remove('a.md');
  expect(await stored(store)).toMatchObject({ files: 1, passages: 2000 });
  expect(await removing).toBe(true);
  const count = (table: string) => connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(['files', 'texts', 'passages', 'postings_1_docsize'].map(count)).toEqual([0, 0, 0, 0]);
});

test('closing during a put ends it, and it changes nothing', async () => {
  const { store, connection, file } = await holdingSmall();
  const before = await stored(store);
  const putting = put(store, LARGE);
  const next = put(store, fileToPut('b.md', ['2 pears']));
  await Promise.resolve();
  connection.close();
  await expect(putting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await expect(next).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  expect(await stored((await storeOf({ file })).store)).toEqual(before);
});
