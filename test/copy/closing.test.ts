import { expect, test } from 'vitest';
import { copyAccounts } from '#src/copy/copy-accounts.js';
import { copyBot } from '#src/copy/copy-bot.js';
import type { Storage } from '#src/storage/storage.js';
import { model, twoStorages } from './two-storages.js';

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
  const { from, to, bot } = await twoStorages(async (files) => {
    const { file } = await files.uploadFile({ key: 'a.md', content: 'A yak.', index: false });
    await files.setFilePassages({ id: file.id, passages: [{ content: 'A yak.' }] });
  });
  const closed: string[] = [];
  failToClose(from, { name: 'the source', closed });
  failToClose(to, { name: 'the target', closed });
  await copyAccounts({ from, to }, { bots: [bot], areAll: false });
  const copy = () => copyBot(bot, { from, to }, { model, isExact: false, signal: undefined, onProgress: () => {} });
  await expect(copy()).rejects.toThrow('files of the source did not close');
  const all = ['files of the source', 'files of the target', 'passages of the source', 'passages of the target'];
  expect(closed.splice(0).sort()).toEqual(all);
  to.passages = () => Promise.reject(new Error('The target cannot be read'));
  await expect(copy()).rejects.toThrow('The target cannot be read');
  expect(closed.sort()).toEqual(all.slice(0, 3));
});
