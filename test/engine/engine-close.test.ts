import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { CALLS, PASSAGES } from './calls.js';

/** Too many files to be indexed before the engine closes. */
const FILES = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.md`, `# File ${i}\n\nword${i}\n`]));

test('every call after closing is ENGINE_CLOSED', async () => {
  const engine = await engineOf();
  await engine.close();
  for (const [name, call] of Object.entries(CALLS)) {
    await expect(call(engine, {}), name).rejects.toMatchObject({
      code: 'ENGINE_CLOSED',
      message: 'The engine is closed: open it again with openEngine.',
    });
  }
});

test('an engine may be closed twice, even concurrently', async () => {
  const engine = await engineOf();
  await Promise.all([engine.close(), engine.close()]);
  await engine.close();
});

test('closing ends running and waiting folder runs with ENGINE_CLOSED; the next run continues from there', async () => {
  const folder = folderOf(FILES);
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  let closed: Promise<void> | undefined;
  const run = engine.indexFolder(folder, {
    onProgress: () => {
      closed ??= engine.close();
    },
  });
  const waiting = engine.indexFolder(folder);
  await expect(run).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await expect(waiting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await closed;
  const again = await engineOf({ database });
  const { added, unchanged } = await again.indexFolder(folder);
  expect(added + unchanged).toBe(100);
  expect(await again.search('word77', { limit: 1 })).toMatchObject([{ file: { key: '77.md' } }]);
});

test('calls running when the engine closes succeed or are ENGINE_CLOSED', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'apples');
  const calls = [
    engine.search('apples'),
    engine.searchFiles({ query: 'apples', consolidate: true }),
    engine.indexFile('b.md', 'pears'),
    engine.status(),
    engine.listBots(),
  ];
  const [outcomes] = await Promise.all([Promise.allSettled(calls), engine.close()]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ENGINE_CLOSED' });
  }
});

test.each<[string, 'passages' | 'queries', (engine: SearchEngine) => Promise<unknown>]>([
  ['indexFolder', 'passages', (engine) => engine.indexFolder(folderOf({ 'a.md': 'pears' }))],
  ['indexFile', 'passages', (engine) => engine.indexFile('a.md', 'pears')],
  ['setPassages', 'passages', (engine) => engine.setPassages(PASSAGES)],
  ['search', 'queries', (engine) => engine.search('pears')],
  ['searchFiles', 'queries', (engine) => engine.searchFiles({ query: 'pears' })],
  ['highlight', 'queries', (engine) => engine.highlight('pears', 'Pears are green. Apples are red.')],
])('closing ends %s with ENGINE_CLOSED even if the embedder never answers', async (_name, held, call) => {
  const { embedder, asked } = heldEmbedder({ held });
  const engine = await engineOf({ model: embedder });
  const rejected = expect(call(engine)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await asked;
  await engine.close();
  await rejected;
});

test('a search waiting for the model when the engine closes is ENGINE_CLOSED', async () => {
  const engine = await engineOf({ model: 'waymark-docs-small-en' });
  const search = expect(engine.search('apples')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await engine.close();
  await search;
});

test('an aborted run is ABORTED, and the next one continues from there', async () => {
  const folder = folderOf(FILES);
  const engine = await engineOf();
  const stopping = new AbortController();
  const run = engine.indexFolder(folder, { signal: stopping.signal, onProgress: () => stopping.abort() });
  await expect(run).rejects.toMatchObject({ code: 'ABORTED', message: 'Stopped. The next run continues from here.' });
  const { added, unchanged } = await engine.indexFolder(folder);
  expect(added + unchanged).toBe(100);
});

test('any number of calls may run at once without a warning', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const { embedder, letGo } = heldEmbedder({ held: 'queries' });
  const engine = await engineOf({ model: embedder });
  const searches = Array.from({ length: 20 }, (_, i) => engine.search(`pears ${i}`));
  await setImmediate();
  letGo();
  await Promise.all(searches);
  expect(warnings).toEqual([]);
});
