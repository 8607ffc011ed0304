import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createHashEmbedder, examine, openEngine } from 'waymark';
import { indexed } from './damaged-database.js';

const MODEL = fileURLToPath(new URL('../../models/waymark-docs-small-en', import.meta.url));

test('a model is opened once, however many bots have it', async () => {
  const database = await indexed();
  const engine = await openEngine({ database, model: createHashEmbedder() });
  for (const name of ['second', 'third']) await engine.createBot({ name });
  await engine.close();
  let opened = 0;
  const model = {
    folder: MODEL,
    get card() {
      opened += 1;
      return {};
    },
  };
  const { findings } = await examine({ database, model });
  expect(findings.filter(({ check }) => check === 'model').map(({ bot }) => bot)).toEqual([
    'default',
    'second',
    'third',
  ]);
  expect(opened).toBe(1);
});
