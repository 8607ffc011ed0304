import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const DROP = `
  import { createHashEmbedder, openEngine } from 'waymark';
  const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
  await engine.dropFolder('docs');
  await engine.close();`;

it('a folder that another process drops while it is indexed leaves no files', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.md': 'yak', 'notes/c.md': 'yak' });
  const database = path.join(root, 'waymark.db');
  const engine = await engineOf({ database });
  await engine.addFolder(path.join(root, 'notes'));
  await engine.addFolder(path.join(root, 'docs'));
  let isDropped = false;
  await engine.indexFolders({
    onProgress() {
      if (!isDropped) execFileSync(process.execPath, ['--input-type=module', '-e', DROP, database]);
      isDropped = true;
    },
  });
  expect(await engine.keys()).toEqual(['notes/c.md']);
  expect((await engine.listFolders()).map(({ name }) => name)).toEqual(['notes']);
});
