import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, type Host, openHost, WaymarkError } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const UPLOAD = { key: 'a.md', content: 'The pump restarts.', index: true };

function newDatabase(): string {
  return path.join(folderOf(), 'waymark.db');
}

/** What the next host over a database finds, once nothing waits to be indexed. */
async function foundByNext(database: string, botId: string): Promise<string[]> {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const files = await host.bot(botId);
  await until(() => host.status().pending === 0);
  return (await files.searchFiles({ query: 'pump' })).passages.map(({ content }) => content);
}

test('closing ends an upload that the embedder never embeds, and the next start indexes it', async () => {
  const database = newDatabase();
  const { embedder, asked } = heldEmbedder();
  const host = await openHost({ database, model: embedder });
  const { files, botId } = await newBot(host);
  await files.uploadFile(UPLOAD);
  await asked;
  await host.close();
  expect(await foundByNext(database, botId)).toEqual(['The pump restarts.']);
});

test('closing ends passages that the embedder never embeds with ENGINE_CLOSED', async () => {
  const { embedder, asked } = heldEmbedder();
  const host = await openHost({ database: newDatabase(), model: embedder });
  const { files } = await newBot(host);
  await files.uploadFile({ ...UPLOAD, index: false });
  const setting = files.setFilePassages({ id: 'a.md', passages: [{ content: 'The valve closes.' }] });
  const rejected = expect(setting).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await asked;
  await host.close();
  await rejected;
});

test('a host may be closed by its embedder, while it embeds an upload', async () => {
  const database = newDatabase();
  const hash = createHashEmbedder();
  let close = async () => {};
  const closed = new Promise<void>((resolve, reject) => {
    close = () => host.close().then(resolve, reject);
  });
  const embedder: Embedder = {
    ...hash,
    async embedPassages(...given) {
      await close();
      return hash.embedPassages(...given);
    },
  };
  const host: Host = await openHost({ database, model: embedder });
  const { files, botId } = await newBot(host);
  await files.uploadFile(UPLOAD);
  await closed;
  expect(await foundByNext(database, botId)).toEqual(['The pump restarts.']);
});

test('an embedder that never closes does not keep the database of a host open', async () => {
  const database = newDatabase();
  const host = await openHost({ database, model: { ...createHashEmbedder(), close: () => new Promise(() => {}) } });
  await newBot(host);
  expect(existsSync(`${database}-wal`)).toBe(true);
  void host.close();
  await until(() => !existsSync(`${database}-wal`));
});

test('closing a host throws what its embedder fails to close with, once the database is closed', async () => {
  const database = newDatabase();
  const failing = { ...createHashEmbedder(), close: () => Promise.reject(new Error('no such process')) };
  const host = await openHost({ database, model: failing });
  await newBot(host);
  await expect(host.close()).rejects.toThrow('no such process');
  expect(existsSync(`${database}-wal`)).toBe(false);
});

test('an upload fails if its embedder was closed elsewhere, and its status says why', async () => {
  const message = 'The embedder was closed with another engine.';
  const embedder: Embedder = {
    ...createHashEmbedder(),
    embedPassages: () => Promise.reject(new WaymarkError('ENGINE_CLOSED', message)),
  };
  const host = await openHost({ database: newDatabase(), model: embedder });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  await files.uploadFile(UPLOAD);
  await until(() => host.status().pending === 0);
  expect((await files.getFile({ id: 'a.md' })).file).toMatchObject({
    status: 'indexing_failed',
    failedStatusReason: expect.stringContaining(message),
  });
});
