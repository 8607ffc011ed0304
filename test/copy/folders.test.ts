import path from 'node:path';
import { expect, test } from 'vitest';
import { copyDatabase, createHashEmbedder, openEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const model = createHashEmbedder();

test('a folder takes over the name that another folder, since dropped, still has in the target', async () => {
  const base = folderOf({ 'old/a.md': 'A yak.', 'new/a.md': 'A wolf.' });
  const [from, to] = [path.join(base, 'from.db'), path.join(base, 'to.db')];
  const engine = await openEngine({ database: from, model });
  await engine.addFolder(path.join(base, 'old'), { name: 'docs' });
  await engine.indexFolders();
  const copy = () => copyDatabase({ from: { database: from }, to: { database: to }, model });
  await copy();
  await engine.dropFolder('docs');
  await engine.addFolder(path.join(base, 'new'), { name: 'docs' });
  await engine.indexFolders();
  await engine.close();
  expect((await copy()).bots).toMatchObject([{ copied: 1, left: 0, isAlike: true }]);
  const copied = await engineOf({ database: to });
  expect((await copied.listFolders()).map(({ name, path: place }) => [name, place])).toEqual([
    ['docs', path.join(base, 'new')],
  ]);
  expect((await copied.search('wolf', { limit: 1 }))[0]?.passage.content).toBe('A wolf.');
});
