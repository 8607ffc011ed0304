import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { searchFiles } from '#src/search/search-files.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import { fileToPut } from '../support/file-to-put.js';
import { storeOf } from '../support/store.js';

const OLD = ['old pump', 'old valve', 'old lamp', 'old door of the pump', 'old motor'];
const NEW = ['new relay', 'new pump', 'new valve', 'new lamp', 'new door'];

/** A store with a file, in which `change` happens, once, when one of its methods has answered: another process writes then. */
async function racing(
  after: keyof PassageStore,
  change: (store: PassageStore) => Promise<unknown>,
): Promise<PassageStore> {
  const { store } = storeOf();
  await store.put(fileToPut('a.md', OLD));
  await store.put(fileToPut('b.md', ['a pump elsewhere']));
  let changed = false;
  return new Proxy<PassageStore>(store, {
    get(target, name) {
      const found = Reflect.get(target, name) as ((...given: unknown[]) => Promise<unknown>) | undefined;
      const method = found?.bind(target);
      if (!method || name !== after) return method;
      return async (...given: unknown[]) => {
        const answer = await method(...given);
        if (!changed) {
          changed = true;
          await change(target);
        }
        return answer;
      };
    },
  });
}

async function contents(store: PassageStore, request: object): Promise<string[]> {
  const embedder = createHashEmbedder();
  const scale = async () => ({ unrelated: 0, related: 1 });
  const asked = { query: 'pump', ...request };
  const { passages } = await searchFiles(asked, { mode: 'lexical', store, embedder, scale });
  return passages.map(({ content, file: { key } }) => `${key}: ${content.replaceAll(/\n+/g, ' | ')}`).sort();
}

const edit = (store: PassageStore) => store.put(fileToPut('a.md', NEW));
const remove = (store: PassageStore) => store.remove('a.md');

test.each([
  ['edited', edit],
  ['removed', remove],
])(
  'a file that is %s after its passages were found is shown as it was found, without what is around',
  async (_name, change) => {
    expect(await contents(await racing('passages', change), { contextDepth: 2 })).toEqual([
      'a.md: old door of the pump',
      'a.md: old pump',
      'b.md: a pump elsewhere',
    ]);
    expect(await contents(await racing('passages', change), { consolidate: true, contextDepth: 1 })).toEqual([
      'a.md: # a.md | old pump | … | old door of the pump',
      'b.md: # b.md | a pump elsewhere',
    ]);
  },
);

test('a file that is edited before its passages are read is found as it is then', async () => {
  expect(await contents(await racing('matching', edit), { contextDepth: 1 })).toEqual([
    'a.md: new relay | new pump | new valve',
    'b.md: a pump elsewhere',
  ]);
});

test('a file that is removed before its passages are read gives its place to others', async () => {
  expect(await contents(await racing('matching', remove), { contextDepth: 0, limit: 1 })).toEqual([
    'b.md: a pump elsewhere',
  ]);
});

test('an edit elsewhere changes nothing of what is shown', async () => {
  const store = await racing('passages', (target) => target.put(fileToPut('b.md', ['a valve'])));
  expect(await contents(store, { contextDepth: 1 })).toEqual([
    'a.md: old lamp | old door of the pump | old motor',
    'a.md: old pump | old valve',
    'b.md: a pump elsewhere',
  ]);
});
