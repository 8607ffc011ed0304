import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

async function hostOver(database: string, model: Embedder, onWarning?: (message: string) => void) {
  const host = await openHost({ database, model, onWarning });
  onTestFinished(() => host.close());
  return host;
}

/** A database with a bot whose upload waits, and whose embedder the next host does not have. */
async function withoutItsModel(): Promise<{ database: string; workspaceId: string; botId: string }> {
  const database = path.join(folderOf(), 'waymark.db');
  const { embedder, asked, letGo } = heldEmbedder();
  const host = await hostOver(database, embedder);
  const { workspaceId, botId, files } = await newBot(host);
  await files.uploadFile({ key: 'apples.md', content: 'Apples are red.\n', index: true });
  await asked;
  const closing = host.close();
  letGo();
  await closing;
  return { database, workspaceId, botId };
}

test('a bot whose model is gone and whose upload waits is reported, and the other bots are served', async () => {
  const { database, workspaceId, botId } = await withoutItsModel();
  const warnings: string[] = [];
  const host = await hostOver(database, createHashEmbedder({ name: 'other' }), (message) => warnings.push(message));
  await until(() => warnings.length > 0);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Not all files that wait could be queued for indexing; it is tried again\. Bot "support": The files of bot "support" were embedded with hash, /,
    ),
  ]);
  await expect(host.bot(botId)).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
  const { bot } = await (await host.workspace(workspaceId)).createBot({ name: 'second' });
  const files = await host.bot(bot.id);
  await files.uploadFile({ key: 'pears.md', content: 'Pears are green.\n', index: true });
  await until(() => host.status().pending === 0);
  const { passages } = await files.searchFiles({ query: 'pears' });
  expect(passages.map(({ content }) => content)).toEqual(['Pears are green.']);
});

test('a bot whose model is gone can be deleted with its files', async () => {
  const { database, workspaceId, botId } = await withoutItsModel();
  const host = await hostOver(database, createHashEmbedder({ name: 'other' }), () => {});
  const workspace = await host.workspace(workspaceId);
  await workspace.deleteBot({ id: botId });
  expect((await workspace.listBots()).bots).toEqual([]);
  await expect(host.bot(botId)).rejects.toMatchObject({ code: 'BOT_MISSING' });
});
