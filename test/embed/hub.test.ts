import { cpSync, createReadStream, existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedder } from '#src/embed/open.js';
import { folderOf } from '../support/folder.js';

const BUNDLED = path.resolve('models/bge-small-en-v1.5');

/** A hub on loopback with one model, `owner/model`; counts what is asked of it. */
async function hubOf(folder: string): Promise<{ host: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    const found = path.join(folder, url.replace('//', '/').replace('/owner/model/resolve/main/', ''));
    if (existsSync(found)) createReadStream(found).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a hub model is fetched once, and used from the cache ever after', async () => {
  const { host, asked } = await hubOf(BUNDLED);
  const cache = folderOf();
  const { embedder, location } = await openEmbedder({ hub: 'owner/model', host, cache });
  expect(location).toEqual({ hub: 'owner/model', host, cache });
  expect(embedder.card).toMatchObject({ id: 'owner/model', dimensions: 384, pooling: 'cls' });
  expect(asked).toContain('/owner/model/resolve/main/onnx/model_quantized.onnx');
  asked.length = 0;
  await openEmbedder({ hub: 'owner/model', host, cache });
  expect(asked).toEqual([]);
});

test('a hub model that lacks a file is an error, and leaves nothing in the cache', async () => {
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

test('a hub that does not answer is an error', async () => {
  await expect(
    openEmbedder({ hub: 'owner/model', host: 'http://127.0.0.1:9', cache: folderOf() }),
  ).rejects.toMatchObject({
    code: 'MODEL_MISSING',
  });
});
