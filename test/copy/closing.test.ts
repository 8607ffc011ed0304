import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openHost } from 'waymark';
import { copyAccounts } from '#src/copy/copy-accounts.js';
import { copyBot } from '#src/copy/copy-bot.js';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import type { BotRecord } from '#src/storage/accounts.js';
import type { Storage } from '#src/storage/storage.js';
import { folderOf } from '../support/folder.js';

const model = createHashEmbedder();

/** Lets the parts of a storage that copies open fail to close; adds those that were closed to a list. */
function failToClose(storage: Storage, { name, closed }: { readonly name: string; readonly closed: string[] }): void {
  const { copies } = storage;
  const [files, passages] = [copies.files.bind(copies), storage.passages.bind(storage)];
  const failing = <Part extends { close(): Promise<void> }>(part: Part, kind: string): Part => {
    const close = part.close.bind(part);
    part.close = async () => {
      await close();
      closed.push(`${kind} of ${name}`);
      throw new Error(`${kind} of ${name} did not close`);
    };
    return part;
  };
  copies.files = async (...of) => failing(await files(...of), 'files');
  storage.passages = async (...of) => failing(await passages(...of), 'passages');
}

test('a copy closes all that it has opened, and reports the first error', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'from.db');
  const host = await openHost({ database, model });
  const { id: workspace } = await host.createWorkspace('acme');
  const { bot: created } = await (await host.workspace(workspace)).createBot({ name: 'support' });
  const files = await host.bot(created.id);
  const { file } = await files.uploadFile({ key: 'a.md', content: 'A yak.', index: false });
  await files.setFilePassages({ id: file.id, passages: [{ content: 'A yak.' }] });
  await host.close();
  const from = openSqliteStorage(database, { create: false, warn: () => {} });
  const to = openSqliteStorage(path.join(folder, 'to.db'), { create: true, warn: () => {} });
  onTestFinished(() => {
    from.close();
    to.close();
  });
  const closed: string[] = [];
  failToClose(from, { name: 'the source', closed });
  failToClose(to, { name: 'the target', closed });
  const bot = (await from.accounts.bots.find(created.id)) as BotRecord;
  await copyAccounts({ from, to }, { bots: [bot], areAll: false });
  const copy = () => copyBot(bot, { from, to }, { model, isExact: false, signal: undefined, onProgress: () => {} });
  await expect(copy()).rejects.toThrow('files of the source did not close');
  const all = ['files of the source', 'files of the target', 'passages of the source', 'passages of the target'];
  expect(closed.splice(0).sort()).toEqual(all);
  to.passages = () => Promise.reject(new Error('The target cannot be read'));
  await expect(copy()).rejects.toThrow('The target cannot be read');
  expect(closed.sort()).toEqual(all.slice(0, 3));
});
