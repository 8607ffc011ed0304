import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createHashEmbedder, examine, openEngine } from 'waymark';
import { atSilentHub } from '../support/silent-hub.js';
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

test('a signal ends an examination whose model is being fetched', async () => {
  const database = await indexed();
  const stop = new AbortController();
  await atSilentHub(database, () => stop.abort());
  await expect(examine({ database, signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
});
