import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { searchFiles } from '#src/search/search-files.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import { fileToPut, putNow } from '../support/file-to-put.js';
import { MemoryStore } from '../support/memory-store.js';

const OLD = ['old pump', 'old valve', 'old lamp', 'old door of the pump', 'old motor'];
const NEW = ['new relay', 'new pump', 'new valve', 'new lamp', 'new door'];

/** A store that another process changes right after each of its first `times` retrievals. */
async function changedAfterRetrieval(
  change: (store: PassageStore) => Promise<unknown>,
  { times = 1 }: { times?: number } = {},
): Promise<PassageStore> {
  const store = new MemoryStore();
  await putNow(store, fileToPut('a.md', OLD));
  await putNow(store, fileToPut('b.md', ['a pump elsewhere', 'a wall', 'a roof', 'a window']));
  let retrievals = 0;
  const retrieve = store.retrieve.bind(store);
  store.retrieve = async (query) => {
    const retrieved = await retrieve(query);
    if (retrievals++ < times) await change(store);
    return retrieved;
  };
  return store;
}

async function contents(store: PassageStore, request: object): Promise<string[]> {
  const embedder = createHashEmbedder();
  const scale = async () => ({ unrelated: 0, related: 1 });
  const { passages } = await searchFiles({ query: 'pump', ...request, mode: 'lexical' }, { store, embedder, scale });
  return passages.map(({ content, file: { key } }) => `${key}: ${content.replaceAll(/\n+/g, ' | ')}`).sort();
}

const edit = (store: PassageStore) => putNow(store, fileToPut('a.md', NEW));
const remove = (store: PassageStore) => store.remove('a.md');

test('a file that is edited between the two calls to the store is found as it is afterwards', async () => {
  expect(await contents(await changedAfterRetrieval(edit), { contextDepth: 1 })).toEqual([
    'a.md: new relay | new pump | new valve',
    'b.md: a pump elsewhere | a wall',
  ]);
});

test('a file that is removed between the two calls gives its place to others', async () => {
  const store = await changedAfterRetrieval(remove);
  expect(await contents(store, { contextDepth: 0, limit: 1 })).toEqual(['b.md: a pump elsewhere']);
});

test('a file that is edited is found even if others with equal scores could replace it', async () => {
  const store = await changedAfterRetrieval(edit);
  for (const key of ['c.md', 'd.md', 'e.md']) await putNow(store, fileToPut(key, ['a lamp elsewhere', 'x', 'y', 'z']));
  expect(await contents(store, { query: 'pump lamp', contextDepth: 0, limit: 2 })).toContain('a.md: new pump');
});

test('an edit of another file changes nothing', async () => {
  const store = await changedAfterRetrieval((target) => putNow(target, fileToPut('c.md', ['a valve'])));
  expect(await contents(store, { contextDepth: 1 })).toEqual([
    'a.md: old lamp | old door of the pump | old motor',
    'a.md: old pump | old valve',
    'b.md: a pump elsewhere | a wall',
  ]);
});

test('a search ends even if a file changes whenever it was found', async () => {
  let edits = 0;
  const store = await changedAfterRetrieval(
    (target) => putNow(target, fileToPut('a.md', [`pump ${edits++}`, 'x', 'y', 'z'])),
    { times: 100 },
  );
  expect(await contents(store, { contextDepth: 0 })).toEqual(['b.md: a pump elsewhere']);
  expect(edits).toBe(4);
});
