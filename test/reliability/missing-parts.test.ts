import { symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { answers, DOCS } from './outlives.js';

const MODEL = fileURLToPath(new URL('../../models/waymark-docs-small-en', import.meta.url));

it('a missing model folder gives a clear error; lexical search continues, and all works once it is back', async () => {
  const folder = path.join(folderOf(), 'waymark-docs-small-en');
  symlinkSync(MODEL, folder, 'dir');
  const docs = folderOf(DOCS);
  const database = path.join(folderOf(), 'waymark.db');
  const indexing = await engineOf({ database, model: folder, processes: 1 });
  await indexing.indexFolder(docs);
  const before = await answers(indexing);
  await indexing.close();

  const engine = await engineOf({ database, model: undefined, processes: 1 });
  const words = await engine.search('word7', { mode: 'lexical' });
  expect(words.map(({ file }) => file.key)).toEqual(['7.md']);
  unlinkSync(folder);
  writeFiles(docs, { 'new.md': '# New\n\nPears.' });
  const message = expect.stringMatching(/: check /) as string;
  const notEmbedded = { name: 'WaymarkError', code: 'EMBEDDER_FAILED', message };
  const notParsed = { name: 'WaymarkError', code: 'PARSER_FAILED', message };
  for (let i = 0; i < 2; i++) {
    await expect(engine.search('the word apples')).rejects.toMatchObject(notEmbedded);
    await expect(engine.indexFile('other.md', 'plums')).rejects.toMatchObject(notParsed);
    await expect(engine.indexFolder(docs)).rejects.toMatchObject(notParsed);
    expect(await engine.search('word7', { mode: 'lexical' })).toEqual(words);
  }
  await expect(engineOf({ database, model: undefined })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  symlinkSync(MODEL, folder, 'dir');
  expect(await answers(engine)).toEqual(before);
  expect(await engine.indexFolder(docs)).toMatchObject({ added: 1, failed: [] });
  expect((await engine.search('pears', { limit: 1 })).map(({ file }) => file.key)).toEqual(['new.md']);
});
