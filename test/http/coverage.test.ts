import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { serviceOf } from './service.js';

test('x-waymark-coverage of a search is the share of passages that are embedded', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const database = `${folderOf()}/waymark.db`;
  const { ask, botId } = await serviceOf({}, { database });
  const search = () => ask('/v1/files/search?query=vinegar');
  expect((await search()).headers.get('x-waymark-coverage')).toBe('1');
  const engine = await openEngine({ database, bot: botId, model: embedder });
  onTestFinished(() => engine.close());
  const indexed = engine.indexFolder(folderOf({ 'a.md': 'Descale it with vinegar.' }));
  await asked;
  const early = await search();
  expect([early.headers.get('x-waymark-coverage'), early.body.passages.length]).toEqual(['0', 1]);
  letGo();
  await indexed;
  expect((await search()).headers.get('x-waymark-coverage')).toBe('1');
});

test('x-waymark-coverage is rounded down to four digits: 1 means all', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const database = `${folderOf()}/waymark.db`;
  const { ask, put, botId } = await serviceOf({}, { database });
  await put('a.md', 'A kettle.');
  await put('b.md', 'A lamp.');
  const engine = await openEngine({ database, bot: botId, model: embedder });
  onTestFinished(() => engine.close());
  const indexed = engine.indexFolder(folderOf({ 'c.md': 'Descale it with vinegar.' }));
  await asked;
  expect((await ask('/v1/files/search?query=vinegar')).headers.get('x-waymark-coverage')).toBe('0.6666');
  letGo();
  await indexed;
});
