import { cpSync, createReadStream, existsSync, readdirSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedder } from 'waymark';
import { folderOf } from '../../support/folder.js';
import { BUNDLED } from '../models.js';

/** A hub on loopback that serves one folder as the model `owner/model`, and the paths requested from it. */
async function hubOf(folder: string): Promise<{ host: string; requested: string[] }> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    requested.push(url);
    const found = path.join(folder, url.replace('/owner/model/resolve/main/', ''));
    if (existsSync(found)) createReadStream(found).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested };
}

test('a hub model is fetched once and then used from the cache', async () => {
  const { host, requested } = await hubOf(BUNDLED);
  const cache = folderOf();
  const { embedder, location } = await openEmbedder({ hub: 'owner/model', host, cache });
  expect(location).toEqual({ hub: 'owner/model', host, cache });
  expect(embedder.card).toMatchObject({ id: 'owner/model', dimensions: 384, pooling: 'cls' });
  expect(requested).toContain('/owner/model/resolve/main/onnx/model_quantized.onnx');
  requested.length = 0;
  await openEmbedder({ hub: 'owner/model', host, cache });
  expect(requested).toEqual([]);
});

test('concurrent calls that fetch one hub model all get it', async () => {
  const { host } = await hubOf(BUNDLED);
  const cache = folderOf();
  const both = await Promise.all([1, 2].map(() => openEmbedder({ hub: 'owner/model', host, cache })));
  expect(both.map(({ embedder }) => embedder.card.id)).toEqual(['owner/model', 'owner/model']);
  expect(readdirSync(path.join(cache, 'owner'))).toEqual(['model']);
});

test('files that killed downloads left more than a day ago are removed by the next download', async () => {
  const { host } = await hubOf(BUNDLED);
  const [abandoned, recent] = [
    'model.00000000-0000-4000-8000-000000000001',
    'model.00000000-0000-4000-8000-000000000002',
  ];
  const names = ['model.en', abandoned, recent];
  const cache = folderOf(Object.fromEntries(names.map((name) => [`owner/${name}/config.json`, '{}'])));
  const before = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of ['model.en', abandoned]) utimesSync(path.join(cache, 'owner', name), before, before);
  await openEmbedder({ hub: 'owner/model', host, cache });
  expect(readdirSync(path.join(cache, 'owner')).sort()).toEqual(['model', recent, 'model.en']);
});

test('the location of a model names it from any working folder, as databases record it', async () => {
  const { location } = await openEmbedder({ folder: path.relative('.', BUNDLED) });
  expect(location).toEqual({ folder: BUNDLED });
  const { host } = await hubOf(BUNDLED);
  const cache = folderOf();
  const fetched = await openEmbedder({ hub: 'owner/model', host, cache: path.relative('.', cache) });
  expect(fetched.location).toEqual({ hub: 'owner/model', host, cache });
});

test('a hub model that lacks a required file is an error and leaves nothing in the cache', async () => {
  const folder = folderOf();
  cpSync(path.join(BUNDLED, 'config.json'), path.join(folder, 'config.json'));
  const { host } = await hubOf(folder);
  const cache = folderOf();
  await expect(openEmbedder({ hub: 'owner/model', host, cache })).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message: expect.stringMatching(
      /^The model owner\/model is not on this machine and could not be fetched \(.*answered 404\)/,
    ),
  });
  expect(readdirSync(path.join(cache, 'owner'))).toEqual([]);
});

test('a web page that a proxy sends instead of a model file is not kept', async () => {
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
  const { host } = await hubOf(folderOf(Object.fromEntries(names.map((name) => [name, '<title>Sign in</title>']))));
  const cache = folderOf();
  await expect(openEmbedder({ hub: 'owner/model', host, cache })).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message: expect.stringContaining(`could not be fetched (${host}/owner/model/resolve/main/config.json is not JSON)`),
  });
  expect(readdirSync(path.join(cache, 'owner'))).toEqual([]);
});

test('a hub that does not respond is an error', async () => {
  await expect(
    openEmbedder({ hub: 'owner/model', host: 'http://127.0.0.1:9', cache: folderOf() }),
  ).rejects.toMatchObject({
    code: 'MODEL_MISSING',
  });
});

test.each(['./none', '../none', '~/none', '/none', 'a/b/none', 'models/none'])(
  'a location that can only be a folder is not looked up on a hub: %s',
  async (name) => {
    await expect(openEmbedder(name)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message:
        `There is no folder ${path.resolve(name)}: pass waymark-docs-small-en, the path of a model folder, ` +
        'or a hub id such as Xenova/all-MiniLM-L6-v2.',
    });
  },
);

test('a hub model that cannot be fetched may be meant as a folder: the message names both', async () => {
  const { host } = await hubOf(folderOf());
  await expect(openEmbedder({ hub: 'owner/model', host, cache: folderOf() })).rejects.toThrow(
    `: check its name and the network. If a folder is meant, there is none at ${path.resolve('owner/model')}.`,
  );
});

test.each<[object, string]>([
  [{ folder: 5 }, 'model.folder must be the path of a folder; it is 5.'],
  [{ hub: '../model' }, 'model.hub must be a hub id such as Xenova/all-MiniLM-L6-v2; it is "../model".'],
  [{ hub: 'owner/model', host: 'hub' }, 'model.host must be a URL; it is "hub".'],
  [{ hub: 'owner/model', cache: '' }, 'model.cache must be the path of a folder; it is "".'],
  [{ folder: BUNDLED, card: 'mean' }, 'model.card must be an object; it is "mean".'],
])('a location with a wrong field is INVALID_ARGUMENT: %j', async (location, message) => {
  await expect(openEmbedder(location)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});
