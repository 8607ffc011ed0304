import { expect, test } from 'vitest';
import { compareAnswers } from '#src/copy/compare-answers.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import { embedAll, fileToPut, putNow } from '../support/file-to-put.js';
import { storeOf } from '../support/store.js';

const SCALE = { unrelated: 0, related: 1 };

/** A store with files of lines that are embedded. */
async function storeWith(files: Readonly<Record<string, readonly string[]>>): Promise<PassageStore> {
  const { store } = await storeOf();
  for (const [key, lines] of Object.entries(files)) await putNow(store, fileToPut(key, lines));
  await embedAll(store);
  return store;
}

async function compare(from: PassageStore, to: PassageStore) {
  const files: { id: string; key: string; passages: number }[] = [];
  for (const { id, key } of await from.files()) files.push({ id, key, passages: 2 });
  const steps: number[] = [];
  const onProgress = ({ done }: { readonly done: number }) => steps.push(done);
  const comparison = await compareAnswers({ from, to }, { files, scale: SCALE, signal: undefined, onProgress });
  return { comparison, steps };
}

const FILES = { 'a.md': ['10 apples', '40 pears'], 'b.md': ['70 wolves', '85 herons'] };

test('a storage compared with itself answers alike, and each passage is asked for once', async () => {
  const store = await storeWith(FILES);
  const { comparison, steps } = await compare(store, store);
  expect(comparison).toEqual({ questions: 4, overlap: 1, difference: 0 });
  expect(steps).toEqual([0, 1, 2, 3, 4]);
});

test('passages missing from the answers lower the overlap', async () => {
  const from = await storeWith(FILES);
  // Other ids of files, so that no passage is the same.
  const { comparison } = await compare(from, await storeWith(FILES));
  expect(comparison).toMatchObject({ questions: 4, overlap: 0, difference: 0 });
});

test('a signal stops a comparison', async () => {
  const store = await storeWith(FILES);
  const files = [{ id: (await store.file('a.md'))?.id ?? '', key: 'a.md', passages: 2 }];
  const options = { files, scale: SCALE, signal: AbortSignal.abort(), onProgress: () => {} };
  await expect(compareAnswers({ from: store, to: store }, options)).rejects.toMatchObject({ code: 'ABORTED' });
});
