import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine, type Stage } from 'waymark';
import { folderOf } from '../support/folder.js';

test('onStage is called with the milliseconds of each stage, and the hits are the same', async () => {
  const options = { database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() };
  const told: [Stage, number][] = [];
  const engine = await openEngine({ ...options, onStage: (...stage) => told.push(stage) });
  await engine.indexFile('a.md', '# Kettle\n\nDescale the kettle.\n');
  const timed = await engine.searchFiles({ query: 'kettle' });
  await engine.close();
  expect([...new Set(told.map(([stage]) => stage))].sort()).toEqual([
    'embed',
    'features',
    'postings',
    'read',
    'vectors',
  ]);
  expect(told.every(([, milliseconds]) => milliseconds >= 0)).toBe(true);
  const plain = await openEngine(options);
  expect(await plain.searchFiles({ query: 'kettle' })).toEqual(timed);
  await plain.close();
});
