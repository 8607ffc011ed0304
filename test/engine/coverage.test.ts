import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';

test('passages are found by their words before they are embedded; coverage is the embedded share', async () => {
  const folder = folderOf({ 'docs/a.md': '# Kettle\n\nDescale it with vinegar.\n' });
  const { embedder, asked, letGo } = heldEmbedder();
  const engine = await openEngine({ database: path.join(folder, 'w.db'), model: embedder });
  expect(await engine.coverage()).toBe(1);
  const indexing = engine.indexFolder(path.join(folder, 'docs'));
  await asked;
  expect(await engine.coverage()).toBe(0);
  const early = await engine.searchFiles({ query: 'vinegar' });
  expect(early.passages.map(({ content }) => content)).toEqual(['Descale it with vinegar.']);
  letGo();
  await indexing;
  expect(await engine.coverage()).toBe(1);
  writeFileSync(path.join(folder, 'docs', 'b.md'), 'Another text.\n');
  await engine.indexFolder(path.join(folder, 'docs'));
  expect(await engine.coverage()).toBe(1);
  await engine.close();
});
