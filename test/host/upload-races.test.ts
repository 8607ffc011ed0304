import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, openHost } from 'waymark';
import { refusingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { inMilliseconds, later } from '../support/later.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

/** A bot whose file a.md is being indexed until `letGo`; `indexed` resolves when no file waits any more. */
async function indexing(): Promise<{
  files: BotFiles;
  id: string;
  database: string;
  bot: string;
  letGo: () => void;
  indexed: () => Promise<void>;
}> {
  const { embedder, asked, letGo } = heldEmbedder();
  const database = path.join(folderOf(), 'waymark.db');
  const host = await openHost({ database, model: embedder });
  onTestFinished(() => host.close());
  onTestFinished(letGo);
  const { files, botId: bot } = await newBot(host);
  const { file } = await files.uploadFile({ key: 'a.md', content: 'The pump restarts.', index: true });
  await asked;
  const indexed = async () => {
    letGo();
    await until(() => host.status().pending === 0);
  };
  return { files, id: file.id, database, bot, letGo, indexed };
}

async function found(files: BotFiles, query: string): Promise<string[]> {
  return (await files.searchFiles({ query })).passages.map(({ content }) => content);
}

test('bytes and tags uploaded while older ones are being indexed win', async () => {
  const { files, id, indexed } = await indexing();
  const uploading = files.uploadFile({
    key: 'a.md',
    content: 'The valve closes.',
    index: true,
    tags: { area: 'valves' },
  });
  await indexed();
  await uploading;
  await indexed();
  expect(await found(files, 'valve')).toEqual(['The valve closes.']);
  expect((await files.getFile({ id })).file).toMatchObject({ status: 'indexing_completed', tags: { area: 'valves' } });
  expect(Buffer.from(await (await files.content(id)).bytes()).toString()).toBe('The valve closes.');
});

test('an upload during the deletion of its bot is stored, or BOT_MISSING', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files, botId } = await newBot(host);
  const uploads = Array.from({ length: 5 }, (_, i) => files.uploadFile({ key: `${i}.md`, content: 'x', index: true }));
  const outcomes = await Promise.allSettled([(await host.workspace()).deleteBot({ id: botId }), ...uploads]);
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  expect(codes.filter((code) => code !== 'BOT_MISSING')).toEqual([]);
  await expect(files.uploadFile({ key: 'a.md', content: 'x', index: true })).rejects.toMatchObject({
    code: 'BOT_MISSING',
  });
});

test('a file announced under the key of an expired one is a new file', async () => {
  const { files, id, indexed } = await indexing();
  await indexed();
  await files.uploadFile({ key: 'a.md', content: 'x', index: false, expiresAt: inMilliseconds(3_600_000) });
  later(7_200_000);
  const { file } = await files.upsertFile({ key: 'a.md', size: 3 });
  expect(file.id).not.toBe(id);
  await expect(files.content(file.id)).rejects.toMatchObject({ code: 'FILE_MISSING' });
});

test('a text given under the key of an expired file is a new file', async () => {
  const { files, id, database, bot, indexed } = await indexing();
  await indexed();
  await files.updateFileMetadata({ id, metadata: { of: 'the expired' } });
  await files.uploadFile({ key: 'a.md', content: 'x', index: false, expiresAt: inMilliseconds(3_600_000) });
  later(7_200_000);
  const engine = await engineOf({ database, bot });
  expect(await engine.indexFile('a.md', 'The valve closes.')).toEqual({ outcome: 'added', warnings: [] });
  const [file, ...others] = (await files.listFiles()).files;
  expect([others, file?.key, file?.metadata, file?.expiresAt]).toEqual([[], 'a.md', {}, undefined]);
  expect(await found(files, 'valve')).toEqual(['The valve closes.']);
});

test('a file that is deleted while it is being indexed does not come back', async () => {
  const { files, id, indexed } = await indexing();
  const deleting = files.deleteFile({ id });
  await indexed();
  await deleting;
  expect(await found(files, 'pump')).toEqual([]);
  expect((await files.listFiles()).files).toEqual([]);
});

test('tags set while a file is being indexed are kept', async () => {
  const { files, id, indexed } = await indexing();
  const tagging = files.updateFileMetadata({ id, tags: { area: 'pumps' } });
  await indexed();
  await tagging;
  expect((await files.getFile({ id })).file.tags).toEqual({ area: 'pumps' });
});

test('concurrent changes of the tags and metadata of a file are all kept', async () => {
  const { files, id, indexed } = await indexing();
  await indexed();
  await Promise.all([
    files.updateFileMetadata({ id, tags: { area: 'pumps' } }),
    files.updateFileMetadata({ id, tags: { floor: '2' } }),
    files.updateFileMetadata({ id, metadata: { checked: true } }),
  ]);
  const { tags, metadata } = (await files.getFile({ id })).file;
  expect([tags, metadata]).toEqual([{ area: 'pumps', floor: '2' }, { checked: true }]);
});

test('concurrent uploads of one key all succeed, and the last one wins', async () => {
  const { files, id, indexed } = await indexing();
  await indexed();
  const contents = ['One pump.', 'Two pumps run.', 'Three valves are closed.'];
  await Promise.all(contents.map((content) => files.uploadFile({ key: 'a.md', content, index: true })));
  await indexed();
  expect(Buffer.from(await (await files.content(id)).bytes()).toString()).toBe('Three valves are closed.');
  expect(await found(files, 'pump valves')).toEqual(['Three valves are closed.']);
});

test('passages set while a file is being indexed are kept', async () => {
  const { files, id, indexed } = await indexing();
  const setting = files.setFilePassages({ id, passages: [{ content: 'The valve closes.' }] });
  await indexed();
  await setting;
  expect(await found(files, 'pump valve')).toEqual(['The valve closes.']);
});

test.each([true, false])(
  'a content that changes after uploadFile is stored as given, with index: %s',
  async (index) => {
    const { files } = await indexing();
    const content = new TextEncoder().encode('The valve closes.');
    const uploading = files.uploadFile({ key: 'b.md', content, index });
    content.fill(0);
    const { file } = await uploading;
    expect(Buffer.from(await (await files.content(file.id)).bytes()).toString()).toBe('The valve closes.');
  },
);

test('a file uploaded without index while it is being indexed is not searched', async () => {
  const { files, indexed } = await indexing();
  const uploading = files.uploadFile({ key: 'a.md', content: 'The valve closes.', index: false });
  await indexed();
  await uploading;
  expect(await found(files, 'pump valve')).toEqual([]);
});

test('a file that expires while it is being indexed does not come back', async () => {
  const { files, id, indexed } = await indexing();
  await files.updateFileMetadata({ id, expiresAt: inMilliseconds(3_600_000) });
  later(7_200_000);
  expect((await files.listFiles()).files).toEqual([]);
  await indexed();
  expect([(await files.listFiles()).files, await found(files, 'pump')]).toEqual([[], []]);
});

test('a file that another process removes while it is being indexed does not come back', async () => {
  const { files, database, bot, indexed } = await indexing();
  const other = await engineOf({ database, bot, model: createHashEmbedder() });
  expect(await other.removeFile('a.md')).toBe(true);
  await indexed();
  expect([(await files.listFiles()).files, await found(files, 'pump')]).toEqual([[], []]);
});

test('a text that another process indexes while an upload is being indexed is kept', async () => {
  const { files, id, database, bot, indexed } = await indexing();
  const other = await engineOf({ database, bot, model: createHashEmbedder() });
  await other.indexFile('a.md', 'The valve closes.');
  await indexed();
  expect(await found(files, 'pump valve')).toEqual(['The valve closes.']);
  expect((await files.getFile({ id })).file.status).toBe('indexing_completed');
});

test('no search finds a file once its upload has failed to be indexed', async () => {
  const { embedder } = refusingEmbedder();
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: embedder });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  const indexed = () => until(() => host.status().pending === 0);
  await files.uploadFile({ key: 'a.md', content: 'The pump restarts.', index: true });
  await indexed();
  const { file } = await files.uploadFile({ key: 'a.md', content: 'words refused', index: true });
  await indexed();
  expect((await files.getFile({ id: file.id })).file).toMatchObject({
    status: 'indexing_failed',
    failedStatusReason: expect.stringContaining('no such words'),
  });
  expect(await found(files, 'pump refused')).toEqual([]);
});

test('concurrent uploads and deletions of one key succeed or find no file', async () => {
  const { files, id, indexed } = await indexing();
  await indexed();
  const calls = Array.from({ length: 20 }, (_, i) =>
    i % 4 === 3
      ? files.deleteFile({ id: 'a.md' })
      : files.uploadFile({ key: 'a.md', content: `Pump ${i}.`, index: i % 4 !== 2, tags: { number: String(i) } }),
  );
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'FILE_MISSING' });
  }
  await indexed();
  await files.uploadFile({ key: 'a.md', content: 'The last pump.', index: true });
  await indexed();
  expect(await found(files, 'pump')).toEqual(['The last pump.']);
  expect((await files.listFiles()).files.map(({ key, status }) => [key, status])).toEqual([
    ['a.md', 'indexing_completed'],
  ]);
  await expect(files.getFile({ id })).rejects.toMatchObject({ code: 'FILE_MISSING' });
});

test('uploads that are not searched succeed during deletions of their key', async () => {
  const { files, indexed } = await indexing();
  await indexed();
  for (let round = 0; round < 30; round++) {
    const uploads = [0, 1, 2, 3].map((i) => files.uploadFile({ key: 'b.md', content: `Pump ${i}.`, index: false }));
    const deletions = [0, 1, 2, 3].map(() => files.deleteFile({ id: 'b.md' }).catch(({ code }) => code));
    const missing = (await Promise.all(deletions)).filter((outcome) => typeof outcome === 'string');
    expect(missing.filter((code) => code !== 'FILE_MISSING')).toEqual([]);
    for (const { file } of await Promise.all(uploads)) expect(file.status).toBe('upload_completed');
  }
});

test('concurrent uploads never mix the description of one with the content of another', async () => {
  const { files, id, indexed } = await indexing();
  await indexed();
  const uploads = [0, 1, 2, 3].map((i) =>
    files.uploadFile({ key: 'a.md', content: `Pump ${i}.`, index: i % 2 === 0, tags: { number: String(i) } }),
  );
  await Promise.all(uploads);
  await indexed();
  const { file } = await files.getFile({ id });
  expect(Buffer.from(await (await files.content(id)).bytes()).toString()).toBe(`Pump ${file.tags.number}.`);
  expect((await found(files, 'pump')).length).toBe(file.index ? 1 : 0);
});

test.each([
  ['with the passages that were set for it', true, true],
  ['to be indexed', true, false],
  ['that is not searched', false, false],
])('of several concurrent copies to one new key, one succeeds: a file %s', async (_, index, isSet) => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  for (const key of ['a.md', 'b.md', 'c.md']) {
    await files.uploadFile({ key, content: `The text of ${key}.`, index });
    if (isSet) await files.setFilePassages({ id: key, passages: [{ content: `Set for ${key}.` }] });
  }
  const copies = ['a.md', 'b.md', 'c.md'].map((id) => files.copyFile({ id, destinationKey: 'copy.md' }));
  const ended = await Promise.allSettled(copies);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const one of ended) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'FILE_EXISTS' });
});

test('a file that leaves a knowledge base while that is deleted stays', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  const { knowledgeBase } = await files.createKnowledgeBase({ name: 'Pumps' });
  const keys = Array.from({ length: 20 }, (_, i) => `${i}.md`);
  for (const key of keys) await files.uploadFile({ key, content: 'x', tags: { kbId: knowledgeBase.id } });
  const deleting = files.deleteKnowledgeBase({ id: knowledgeBase.id });
  await until(async () => (await files.listFiles()).files.length < keys.length);
  // Unless it is deleted already.
  const leaving = files.updateFileMetadata({ id: '19.md', tags: { kbId: null } });
  const left = await leaving.then(
    ({ file }) => [file.key],
    () => [],
  );
  await deleting;
  expect((await files.listFiles()).files.map(({ key }) => key)).toEqual(left);
});
