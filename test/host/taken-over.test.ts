import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, type Embedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

/** A host over a database that others have open, too. */
async function hostOver(database: string, model: Embedder = createHashEmbedder()) {
  const host = await openHost({ database, model });
  onTestFinished(() => host.close());
  return host;
}

/** Has a host look once for what others have left of a bot, as it does every 10 seconds. */
async function look(files: BotFiles): Promise<void> {
  await (files as unknown as { uploads: { takeOver(): Promise<void> } }).uploads.takeOver();
}

test('a host takes over an upload that it sees waiting twice; indexing it on two hosts is harmless', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const { embedder, asked, letGo } = heldEmbedder();
  const [held, other] = [await hostOver(database, embedder), await hostOver(database)];
  const { botId, files } = await newBot(held);
  await files.uploadFile({ key: 'a.md', content: 'apples\n', index: true });
  await asked;
  const there = await other.bot(botId);
  await look(there);
  expect(other.status().pending).toBe(0);
  await files.uploadFile({ key: 'b.md', content: 'pears\n', index: true });
  await look(there);
  // The other file was not seen before.
  await until(() => other.status().pending === 0);
  const statuses = async (bot: BotFiles) =>
    (await bot.listFiles({ sortField: 'key', sortDirection: 'asc' })).files.map(({ status }) => status);
  expect(await statuses(there)).toEqual(['indexing_completed', 'indexing_pending']);
  await look(there);
  await until(() => other.status().pending === 0);
  expect(await statuses(there)).toEqual(['indexing_completed', 'indexing_completed']);
  const before = await there.listFiles();
  letGo();
  await until(() => held.status().pending === 0);
  for (const bot of [files, there]) {
    const { passages } = await bot.searchFiles({ query: 'apples pears' });
    expect(passages.map(({ content }) => content).sort()).toEqual(['apples', 'pears']);
    expect(await bot.listFiles()).toEqual(before);
  }
});

test('a host that is working for a bot takes over none of its own uploads again', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const host = await hostOver(path.join(folderOf(), 'waymark.db'), embedder);
  const { files } = await newBot(host);
  for (const key of ['a.md', 'b.md', 'c.md']) await files.uploadFile({ key, content: key, index: true });
  await asked;
  for (let looks = 0; looks < 3; looks++) await look(files);
  expect(host.status().pending).toBe(3);
  letGo();
  await until(() => host.status().pending === 0);
});
