import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, type Host, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { CLUSTER } from '../support/place.js';
import { until } from '../support/until.js';

type Announcement = Omit<Parameters<BotFiles['upsertFile']>[0], 'key' | 'size'>;

/** Two hosts over one database or cluster, as two processes would have them, with the files of one bot. */
async function opened() {
  const place = CLUSTER ? { cluster: CLUSTER } : { database: `${folderOf()}/waymark.db` };
  const hosts: Host[] = [];
  for (let i = 0; i < 2; i += 1) {
    const host = await openHost({ ...place, model: createHashEmbedder() });
    onTestFinished(() => host.close());
    hosts.push(host);
  }
  const [host, other] = hosts as [Host, Host];
  const { id } = await host.createWorkspace(randomUUID());
  // Each bot takes some megabytes of every node.
  if (CLUSTER) onTestFinished(() => host.deleteWorkspace(id));
  const { bot } = await (await host.workspace(id)).createBot({ name: 'support' });
  return { host, other, files: await host.bot(bot.id), others: await other.bot(bot.id) };
}

/** Announces a text for a.md; `send` sends it to the address, through a host. */
async function announced(files: BotFiles, text: string, announcement: Announcement = {}) {
  const { file } = await files.upsertFile({ key: 'a.md', size: text.length, index: true, ...announcement });
  const secret = path.posix.basename(file.uploadUrl);
  return { file, send: (host: Host) => host.receive(secret, Buffer.from(text)) };
}

async function settled(files: BotFiles) {
  await until(async () => !(await files.getFile({ id: 'a.md' })).file.status.endsWith('pending'));
  return state(files);
}

/** A file as operations and searches show it. */
async function state(files: BotFiles) {
  const { file } = await files.getFile({ id: 'a.md' });
  const { passages } = await files.searchFiles({ query: 'pump valve lamp' });
  return {
    tags: file.tags,
    accessPolicies: file.accessPolicies,
    text: Buffer.from(await (await files.content('a.md')).bytes()).toString(),
    found: passages.map(({ content, file: { tags } }) => [content, tags]),
  };
}

const PRIVATE = { tags: { of: 'pump' } };
const PUBLIC = { tags: { of: 'valve' }, accessPolicies: ['public_content'] } satisfies Announcement;

test.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])('an upload brings its own description though another has overtaken it: index %s, then %s', async (one, two) => {
  const { host, other, files, others } = await opened();
  const first = await announced(files, 'The pump hums.', { ...PRIVATE, index: one });
  const second = await announced(others, 'The valve closes.', { ...PUBLIC, index: two });
  await second.send(host);
  expect(await settled(files)).toEqual({
    ...PUBLIC,
    text: 'The valve closes.',
    found: two ? [['The valve closes.', PUBLIC.tags]] : [],
  });
  await first.send(other);
  expect(await settled(files)).toEqual({
    ...{ ...PRIVATE, accessPolicies: [] },
    text: 'The pump hums.',
    found: one ? [['The pump hums.', PRIVATE.tags]] : [],
  });
});

test('a file stays unchanged until the content announced for it has arrived', async () => {
  const { host, files } = await opened();
  await files.uploadFile({ key: 'a.md', content: 'The pump hums.', index: true, ...PRIVATE });
  const before = await settled(files);
  const { file, send } = await announced(files, 'The valve closes.', { ...PUBLIC, contentType: 'text/plain' });
  expect(file).toMatchObject({ ...PUBLIC, contentType: 'text/plain', size: null, status: 'upload_pending' });
  expect(await state(files)).toEqual(before);
  expect((await files.listFiles({ tags: PUBLIC.tags })).files).toEqual([]);
  expect((await files.listFiles({ tags: PRIVATE.tags })).files).toMatchObject([{ contentType: 'text/markdown' }]);
  expect((await files.getFile({ id: file.id })).file.url).toContain('signature=');
  await send(host);
  expect(await settled(files)).toMatchObject({ ...PUBLIC, found: [['The valve closes.', PUBLIC.tags]] });
  const stored = await files.getFile({ id: file.id });
  expect(stored.file).toMatchObject({ contentType: 'text/plain', url: file.url });
  expect(file.url).not.toContain('signature=');
});

test('a new file shows the last announcement for it until content arrives', async () => {
  const { host, files } = await opened();
  const { send } = await announced(files, 'The pump hums.', PRIVATE);
  await announced(files, 'The valve closes.', PUBLIC);
  expect((await files.getFile({ id: 'a.md' })).file).toMatchObject({ ...PUBLIC, status: 'upload_pending' });
  await send(host);
  expect(await settled(files)).toMatchObject({ ...PRIVATE, accessPolicies: [], text: 'The pump hums.' });
});

test.each([
  ['a new file', true, false],
  ['a new file that is not searched', false, false],
  ['a file that is replaced', true, true],
  ['a file that is replaced and no longer searched', false, true],
])('what updateFileMetadata changes after an announcement is kept: %s', async (_, index, exists) => {
  const { host, files, others } = await opened();
  if (exists) {
    await files.uploadFile({ key: 'a.md', content: 'A lamp.', index: true, tags: { old: '1' } });
    await settled(files);
  }
  const { send } = await announced(files, 'The pump hums.', { tags: { of: 'pump', draft: '1' }, index });
  const change = { tags: { area: 'cellar', draft: null }, accessPolicies: ['public_content' as const] };
  await others.updateFileMetadata({ id: 'a.md', ...change });
  await send(host);
  const tags = { of: 'pump', area: 'cellar' };
  expect(await settled(files)).toEqual({
    ...{ tags, accessPolicies: ['public_content'], text: 'The pump hums.' },
    found: index ? [['The pump hums.', tags]] : [],
  });
});

test.each([true, false])('a change while the bytes arrive is kept, with index: %s', async (index) => {
  const { host, files, others } = await opened();
  const { file } = await files.upsertFile({ key: 'a.md', size: 6, index, ...PRIVATE });
  async function* arriving() {
    yield Buffer.from('A l');
    await others.updateFileMetadata({ id: 'a.md', tags: { area: 'cellar' } });
    yield Buffer.from('amp');
  }
  await host.receive(path.posix.basename(file.uploadUrl), arriving());
  expect(await settled(files)).toMatchObject({ tags: { of: 'pump', area: 'cellar' }, text: 'A lamp' });
});

test('uploads and changes of one key at once leave the description and the bytes of one upload', async () => {
  const { host, other, files, others } = await opened();
  await files.uploadFile({ key: 'a.md', content: 'The pump hums.', index: true });
  for (let round = 0; round < 5; round += 1) {
    const uploads = [0, 1, 2, 3].map(async (i) => {
      const text = `Pump ${round} ${i} hums.`;
      const [through, sentTo] = i % 2 === 0 ? [files, other] : [others, host];
      await (await announced(through, text, { tags: { text }, index: i !== 3 })).send(sentTo);
    });
    const change = files.updateFileMetadata({ id: 'a.md', tags: { round: String(round) } });
    await Promise.all([...uploads, change]);
    const { tags, text, found } = await settled(files);
    expect(tags.text).toBe(text);
    expect([[], [[text, tags]]]).toContainEqual(found);
  }
});

test('a file is copied as it is while another content is awaited', async () => {
  const { files } = await opened();
  await files.uploadFile({ key: 'a.md', content: 'The pump hums.', index: true, ...PRIVATE });
  await settled(files);
  await files.setFilePassages({ id: 'a.md', passages: [{ content: 'A pump.' }] });
  await announced(files, 'The valve closes.', PUBLIC);
  const { file } = await files.copyFile({ id: 'a.md', destinationKey: 'b.md' });
  expect(file).toMatchObject({ ...PRIVATE, accessPolicies: [] });
  expect(Buffer.from(await (await files.content('b.md')).bytes()).toString()).toBe('The pump hums.');
  expect((await files.listFilePassages({ id: 'b.md' })).passages.map(({ content }) => content)).toEqual(['A pump.']);
});

test.each([true, false])(
  'an upload whose announced expiry passes while it arrives is refused, and leaves the file, with index: %s',
  async (index) => {
    const { host, files } = await opened();
    await files.uploadFile({ key: 'a.md', content: 'The pump hums.', index: true });
    await settled(files);
    const announcement = { key: 'a.md', size: 6, index, expiresAt: inMilliseconds(3_600_000) };
    const { file } = await files.upsertFile(announcement);
    async function* arriving() {
      yield Buffer.from('A l');
      later(7_200_000);
      yield Buffer.from('amp');
    }
    const receiving = host.receive(path.posix.basename(file.uploadUrl), arriving());
    await expect(receiving).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
    expect(await state(files)).toMatchObject({ text: 'The pump hums.', found: [['The pump hums.', {}]] });
  },
);

test('a change keeps the members of metadata that it does not name, also those that are null', async () => {
  const { files } = await opened();
  const { file } = await files.uploadFile({ key: 'a.md', content: 'a', metadata: { none: null, one: 1, two: 2 } });
  const changed = await files.updateFileMetadata({ id: file.id, metadata: { one: null } });
  expect(changed.file.metadata).toEqual({ none: null, two: 2 });
});
