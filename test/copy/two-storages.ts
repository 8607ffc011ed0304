import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type BotFiles, createHashEmbedder, openHost } from 'waymark';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import type { BotRecord } from '#src/storage/accounts.js';
import { folderOf } from '../support/folder.js';

/** The model of the bot. */
export const model = createHashEmbedder();

/** Two databases, and a bot that the first one has, with the files that `fill` adds. Without it, it has no model. */
export async function twoStorages(fill?: (files: BotFiles) => Promise<void>) {
  const folder = folderOf();
  const database = path.join(folder, 'from.db');
  const host = await openHost({ database, model });
  const { id: workspace } = await host.createWorkspace('acme');
  const { bot: created } = await (await host.workspace(workspace)).createBot({ name: 'support' });
  if (fill) await fill(await host.bot(created.id));
  await host.close();
  const from = openSqliteStorage(database, { create: false, warn: () => {} });
  const to = openSqliteStorage(path.join(folder, 'to.db'), { create: true, warn: () => {} });
  onTestFinished(() => {
    from.close();
    to.close();
  });
  const bot = (await from.accounts.bots.find(created.id)) as BotRecord;
  return { database, from, to, bot };
}
