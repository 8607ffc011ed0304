import { expect, onTestFinished, test } from 'vitest';
import { openHost } from 'waymark';
import { copyAccounts } from '#src/copy/copy-accounts.js';
import { type CopiedBot, copyBot } from '#src/copy/copy-bot.js';
import type { BotRecord } from '#src/storage/accounts.js';
import type { FileRecord } from '#src/storage/file-records.js';
import type { Storage } from '#src/storage/storage.js';
import { model, twoStorages } from './two-storages.js';

/** More than a database reads at once. */
const LARGE = 600_000;

test('a file that is replaced while it is copied never gets new bytes with the old description', async () => {
  for (const size of [6, LARGE]) {
    const { from, to, bot } = await twoStorages();
    await upload(from, bot, { key: 'a.md', content: 'public'.padEnd(size), accessPolicies: ['public_content'] });
    let isReplaced = false;
    afterEachRead(from, async () => {
      if (isReplaced) return;
      isReplaced = true;
      await upload(from, bot, { key: 'a.md', content: 'secret'.padEnd(size), accessPolicies: [] });
    });
    expect(await copied(from, to, bot)).toMatchObject({ copied: 1, failed: [] });
    const former = { content: 'public', accessPolicies: ['public_content'] };
    const latter = { content: 'secret', accessPolicies: [] };
    // A small file has been read by then; a large one is read again.
    expect(await inTarget(to, bot, 'a.md')).toEqual(size === LARGE ? latter : former);
    await copied(from, to, bot);
    expect(await inTarget(to, bot, 'a.md')).toEqual(latter);
  }
});

test('a file that is replaced each time it is read fails alone, and the next copy has it', async () => {
  const { from, to, bot } = await twoStorages();
  for (const key of ['a.md', 'b.md']) await upload(from, bot, { key, content: key.padEnd(LARGE), accessPolicies: [] });
  let isBusy = true;
  let reads = 0;
  afterEachRead(from, async ({ key }) => {
    if (!isBusy || key !== 'a.md') return;
    reads += 1;
    await upload(from, bot, { key, content: `new ${reads}`.padEnd(LARGE), accessPolicies: [] });
  });
  const reason = 'It was replaced during each of 5 attempts to read it: copy again.';
  expect(await copied(from, to, bot)).toMatchObject({ copied: 1, failed: [{ key: 'a.md', reason }], isAlike: false });
  expect(reads).toBe(5);
  isBusy = false;
  expect(await copied(from, to, bot)).toMatchObject({ copied: 1, unchanged: 1, failed: [], isAlike: true });
  expect(await inTarget(to, bot, 'a.md')).toEqual({ content: 'new 5', accessPolicies: [] });
});

test('passages that are set again while a file is copied never mix with the text of the former ones', async () => {
  const { database, from, to, bot } = await twoStorages();
  const host = await openHost({ database, model });
  onTestFinished(() => host.close());
  const files = await host.bot(bot.id);
  const passages = [{ content: 'A yak.' }, { content: 'A red wolf.' }];
  const { file } = await files.uploadFile({ key: 'a.md', content: 'x', index: false });
  await files.setFilePassages({ id: file.id, passages });
  afterEachRead(from, async () => {
    await files.setFilePassages({ id: file.id, passages: [{ content: 'A heron waits.' }] });
  });
  expect(await copied(from, to, bot)).toMatchObject({ copied: 1, failed: [] });
  const target = await to.copies.files(bot.id, await to.models.ofBot(bot.id));
  const { text, cuts } = (await target.read(file.id)) ?? {};
  expect((await cuts?.())?.map(({ start, end }) => text?.slice(start, end))).toEqual(['A yak.', 'A red wolf.']);
});

test('a bot whose first file is indexed while it is copied is copied by the next run', async () => {
  const { database, from, to, bot } = await twoStorages();
  await upload(from, bot, { key: 'a.md', content: 'A yak.', accessPolicies: [] });
  const files = from.copies.files.bind(from.copies);
  from.copies.files = async (...of) => {
    const opened = await files(...of);
    from.copies.files = files;
    const host = await openHost({ database, model });
    const indexing = await host.bot(bot.id);
    await indexing.setFilePassages({ id: 'a.md', passages: [{ content: 'A yak.' }] });
    await host.close();
    return opened;
  };
  const reason = 'The first files of bot "support" were indexed while it was copied: copy again.';
  expect(await copied(from, to, bot)).toMatchObject({ copied: 0, failed: [{ key: 'a.md', reason }] });
  expect(await copied(from, to, bot)).toMatchObject({ copied: 1, failed: [], isAlike: true });
});

/** Calls something each time that a copy has read a file of a storage, before it goes on. */
function afterEachRead({ copies }: Storage, call: (file: { readonly key: string }) => Promise<void>): void {
  const files = copies.files.bind(copies);
  copies.files = async (...of) => {
    const opened = await files(...of);
    const read = opened.read.bind(opened);
    opened.read = async (id) => {
      const file = await read(id);
      if (file) await call(file.state);
      return file;
    };
    return opened;
  };
}

async function upload(
  storage: Storage,
  { id }: BotRecord,
  { key, content, accessPolicies }: Pick<FileRecord, 'key' | 'accessPolicies'> & { readonly content: string },
): Promise<void> {
  const staged = await storage.contents.stage([Buffer.from(content)], id);
  const description = { contentType: 'text/markdown', tags: {}, metadata: {}, index: true, accessPolicies };
  await (await storage.fileRecords(id)).upsert(
    { key, size: staged.size, ...description, expiresAt: undefined },
    staged,
  );
}

async function copied(from: Storage, to: Storage, bot: BotRecord): Promise<CopiedBot> {
  await copyAccounts({ from, to }, { bots: [bot], areAll: false });
  return copyBot(bot, { from, to }, { model, isExact: false, signal: undefined, onProgress: () => {} });
}

/** The content of a file, and who may read it. */
async function inTarget(storage: Storage, { id }: BotRecord, key: string) {
  const found = await (await storage.fileRecords(id)).withContent(key);
  const parts: Uint8Array[] = [];
  for await (const part of found?.content?.read() ?? []) parts.push(part);
  return { content: Buffer.concat(parts).toString().trimEnd(), accessPolicies: found?.record.accessPolicies };
}
