import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { fakeIntervals } from '../support/fake-intervals.js';
import { folderOf } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;

async function bot(database = `${folderOf()}/waymark.db`) {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const indexed = () => until(() => host.status().pending === 0);
  return { host, database, indexed, ...(await newBot(host)) };
}

test('a file that has expired is absent for every operation', async () => {
  const { files, indexed } = await bot();
  const expiresAt = inMilliseconds(HOUR);
  await files.uploadFile({ key: 'a.md', content: 'apples', tags: { a: '1' }, index: true, expiresAt });
  await files.uploadFile({ key: 'b.md', content: 'apples', tags: { b: '2' }, index: true });
  await indexed();
  expect((await files.searchFiles({ query: 'apples' })).passages.length).toBe(2);
  later(2 * HOUR);
  expect((await files.searchFiles({ query: 'apples' })).passages.map(({ file }) => file.key)).toEqual(['b.md']);
  expect((await files.listFiles()).files.map(({ key }) => key)).toEqual(['b.md']);
  expect((await files.listFileTags()).tags).toEqual(['b']);
  expect((await files.listFileTagValues({ tag: 'a' })).values).toEqual([]);
  const missing = { code: 'FILE_MISSING' };
  await expect(files.getFile({ id: 'a.md' })).rejects.toMatchObject(missing);
  await expect(files.content('a.md')).rejects.toMatchObject(missing);
  await expect(files.listFilePassages({ id: 'a.md' })).rejects.toMatchObject(missing);
  await expect(files.updateFileMetadata({ id: 'a.md', tags: { a: '3' } })).rejects.toMatchObject(missing);
  await expect(files.deleteFile({ id: 'a.md' })).rejects.toMatchObject(missing);
});

test.each([true, false])('an upload whose file expires while it arrives is refused, with index: %s', async (index) => {
  const { files, host } = await bot();
  const { file } = await files.upsertFile({ key: 'a.md', size: 6, index, expiresAt: inMilliseconds(HOUR) });
  async function* arriving() {
    yield Buffer.from('app');
    later(2 * HOUR);
    yield Buffer.from('les');
  }
  const receiving = host.receive(path.posix.basename(file.uploadUrl), arriving());
  await expect(receiving).rejects.toMatchObject({ code: 'UPLOAD_MISSING' });
});

test.each([true, false])('a file that expires while it is stored is gone, with index: %s', async (index) => {
  const { files } = await bot();
  await files.uploadFile({ key: 'a.md', content: 'apples', index: false });
  const expiresAt = inMilliseconds(HOUR);
  const storing = ['a.md', 'b.md'].map((key) => files.uploadFile({ key, content: 'pears', index, expiresAt }));
  later(2 * HOUR);
  const [a, b] = await Promise.all(storing);
  expect(a?.file).toMatchObject({ key: 'a.md', size: 5, index });
  expect(b?.file).toMatchObject({ key: 'b.md', size: 5, index });
  expect((await files.listFiles()).files).toEqual([]);
  await expect(files.content('a.md')).rejects.toMatchObject({ code: 'FILE_MISSING' });
  const again = await files.uploadFile({ key: 'a.md', content: 'grapes', index: false });
  expect(again.file.id).not.toBe(a?.file.id);
});

test('an engine on the database of a host finds no file that has expired', async () => {
  const { files, host, botId, database, indexed } = await bot();
  const { file } = await files.uploadFile({ key: 'a.md', content: '# Fruit\n\nApples here.', index: true });
  await files.uploadFile({ key: 'b.md', content: '# Fruit\n\nApples there.', index: true });
  await indexed();
  await files.updateFileMetadata({ id: 'a.md', expiresAt: inMilliseconds(HOUR) });
  await host.close();
  later(2 * HOUR);
  const engine = await openEngine({ database, model: createHashEmbedder(), bot: botId });
  onTestFinished(() => engine.close());
  const keys = (await engine.search('apples')).map(({ file: { key } }) => key);
  expect(keys).toEqual(['b.md']);
  const { passages } = await engine.searchFiles({ query: 'apples' });
  expect(passages.map((passage) => passage.file.key)).toEqual(['b.md']);
  expect(await engine.passagesOf(file.id, { from: 0, to: 0 })).toEqual([]);
  expect(await engine.hasFile('a.md')).toBe(false);
  expect(await engine.removeFile('a.md')).toBe(false);
});

test('an expired file is removed within a minute, and at the next start', async () => {
  fakeIntervals();
  const { files, host, botId, workspaceId, database, indexed } = await bot();
  const stored = async () => {
    const engine = await openEngine({ database, model: createHashEmbedder(), bot: botId });
    const { files: count } = await engine.status();
    await engine.close();
    return count;
  };
  for (const [key, hours] of [
    ['a.md', 1],
    ['b.md', 3],
  ] as const) {
    await files.uploadFile({ key, content: 'apples', index: true, expiresAt: inMilliseconds(hours * HOUR) });
  }
  const grant = { workspaceId, name: 'ci', role: 'search' } as const;
  await host.createToken({ ...grant, expiresAt: inMilliseconds(HOUR) });
  await host.createToken(grant);
  await indexed();
  vi.setSystemTime(Date.now() + 2 * HOUR);
  expect(await stored()).toBe(2);
  vi.advanceTimersByTime(60_000);
  await until(async () => (await stored()) === 1);
  expect((await host.listTokens()).map(({ expiresAt }) => expiresAt)).toEqual([undefined]);
  await host.close();
  vi.setSystemTime(Date.now() + 2 * HOUR);
  const next = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => next.close());
  await until(async () => (await stored()) === 0);
});

test('expiry is one moment in time, whatever the time zone of expiresAt', async () => {
  const { files } = await bot();
  const told = (time: number) => new Date(time + 10 * HOUR).toISOString().replace('Z', '+10:00');
  const { file } = await files.uploadFile({ key: 'a.md', content: 'apples', expiresAt: told(Date.now() + HOUR) });
  expect(Math.abs(Date.parse(file.expiresAt ?? '') - Date.now() - HOUR)).toBeLessThan(60_000);
  await expect(
    files.uploadFile({ key: 'b.md', content: 'pears', expiresAt: told(Date.now() - HOUR) }),
  ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('a token expires at a time whose year has four digits in UTC', async () => {
  const { host, workspaceId } = await bot();
  const token = (expiresAt: string) => host.createToken({ workspaceId, name: 'ci', role: 'search', expiresAt });
  expect(await token('9999-12-31T23:59:59-00:00')).toMatchObject({ expiresAt: '9999-12-31T23:59:59.000Z' });
  await expect(token('9999-12-31T23:00:00-02:00')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message:
      'expiresAt must be an ISO 8601 time to come such as 2030-01-31T12:00:00Z, at most 14 hours from UTC; it is "9999-12-31T23:00:00-02:00".',
  });
});

const EXPIRY = 'expiresAt must be an ISO 8601 time within the next 90 days, at most 14 hours from UTC';

test.each([
  ['in the past', -1000],
  ['in more than 90 days', 90 * 24 * HOUR + 60_000],
])('an expiry %s is refused, and nothing is stored', async (_when, milliseconds) => {
  const { files } = await bot();
  const expiresAt = inMilliseconds(milliseconds);
  const refused = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(EXPIRY) };
  await expect(files.uploadFile({ key: 'a.md', content: 'x', expiresAt })).rejects.toMatchObject(refused);
  await expect(files.upsertFile({ key: 'a.md', size: 1, expiresAt })).rejects.toMatchObject(refused);
  await files.uploadFile({ key: 'b.md', content: 'x' });
  await expect(files.updateFileMetadata({ id: 'b.md', expiresAt })).rejects.toMatchObject(refused);
  expect((await files.listFiles()).files.map((file) => [file.key, file.expiresAt])).toEqual([['b.md', undefined]]);
});

test('a token with an expiry in the past is refused', async () => {
  const { host, workspaceId } = await bot();
  const creating = host.createToken({ workspaceId, name: 'ci', role: 'search', expiresAt: inMilliseconds(-1000) });
  const message = expect.stringContaining('expiresAt must be an ISO 8601 time to come such as 2030-01-31T12:00:00Z');
  await expect(creating).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});
