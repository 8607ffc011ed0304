import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, examine, openEngine } from 'waymark';
import { folderOf } from '../support/folder.js';
import { atSilentHub } from '../support/silent-hub.js';
import { indexed } from './damaged-database.js';

test('a model is opened once, however many bots have it', async () => {
  const database = await indexed();
  const engine = await openEngine({ database, model: createHashEmbedder() });
  for (const name of ['second', 'third']) await engine.createBot({ name });
  await engine.close();
  const asked: (string | undefined)[] = [];
  const hub = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    hub.closeAllConnections();
    hub.close();
  });
  const host = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  const model = { hub: 'owner/model', host, cache: folderOf() };
  const { findings } = await examine({ database, model });
  expect(findings.filter(({ check }) => check === 'model').map(({ bot }) => bot)).toEqual([
    'default',
    'second',
    'third',
  ]);
  expect(asked).toEqual(['/owner/model/resolve/main/config.json']);
});

test('a signal ends an examination whose model is being fetched', async () => {
  const database = await indexed();
  const stop = new AbortController();
  await atSilentHub(database, () => stop.abort());
  await expect(examine({ database, signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
});
