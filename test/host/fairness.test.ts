import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, type Embedder, openHost } from 'waymark';
import { SharedParser } from '#src/host/shared-parser.js';
import { UploadQueue } from '#src/host/uploads/upload-queue.js';
import type { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';

/** Two bots over an embedder that keeps every text with the word "slow" until the test has finished. */
async function bots(): Promise<{ slow: BotFiles; other: BotFiles }> {
  const hash = createHashEmbedder();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const model: Embedder = {
    ...hash,
    async embedPassages(texts, ...given) {
      if (texts.some((text) => text.includes('slow'))) await held;
      return hash.embedPassages(texts, ...given);
    },
  };
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model });
  onTestFinished(() => host.close());
  onTestFinished(letGo);
  const botOf = async (name: string) => {
    const { id } = await host.createWorkspace(name);
    return host.bot((await (await host.workspace(id)).createBot({ name: 'support' })).bot.id);
  };
  return { slow: await botOf('acme'), other: await botOf('globex') };
}

test('an upload is indexed while those of another bot wait', async () => {
  const { slow, other } = await bots();
  for (const key of ['a.md', 'b.md', 'c.md']) await slow.uploadFile({ key, content: 'slow', index: true });
  await other.uploadFile({ key: 'a.md', content: 'A small kettle.', index: true });
  await until(async () => (await other.getFile({ id: 'a.md' })).file.status !== 'indexing_pending');
  expect((await other.searchFiles({ query: 'kettle' })).passages.map(({ content }) => content)).toEqual([
    'A small kettle.',
  ]);
  expect((await slow.getFile({ id: 'c.md' })).file.status).toBe('indexing_pending');
});

test('uploads are accepted in turns: that of another bot does not wait for all that one has sent', async () => {
  const queue = new UploadQueue();
  const accepted: string[] = [];
  const upload = (bot: string) => queue.admit(bot).then(() => accepted.push(bot));
  await Promise.all([...'aaaaaa', ...'bb'].map(upload));
  expect(accepted.join('')).toBe('ababaaaa');
});

test('contents are stored in turns: that of another bot does not wait for all that one has sent', async () => {
  const { slow, other } = await bots();
  const stored: string[] = [];
  const upload = async (files: BotFiles, key: string) => {
    await files.uploadFile({ key, content: 'A kettle.', index: false });
    stored.push(key);
  };
  const many = Array.from({ length: 20 }, (_, i) => upload(slow, `a${i}`));
  await Promise.all([...many, upload(other, 'b')]);
  expect(stored.indexOf('b')).toBeLessThan(5);
});

test('texts are parsed in turns, one of each bot at a time', async () => {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const pool = {
    size: 2,
    parse(text: string) {
      log.push(text);
      return new Promise<void>((resolve) => ends.set(text, resolve));
    },
  };
  const parser = new SharedParser(pool as unknown as ParsePool, () => {});
  const parse = (bot: string, text: string) => parser.of(bot).parse(text, {} as never);
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((text) => parse(text.charAt(0), text));
  const end = async (text: string) => {
    ends.get(text)?.();
    await setImmediate();
  };
  await setImmediate();
  expect(log).toEqual(['a1', 'b1']);
  await end('b1');
  expect(log).toEqual(['a1', 'b1', 'c1']);
  await end('c1');
  expect(log).toEqual(['a1', 'b1', 'c1', 'b2']);
  await end('b2');
  // Nobody else waits, but a bot has one process at a time.
  expect(log).toEqual(['a1', 'b1', 'c1', 'b2']);
  for (const text of ['a1', 'a2', 'a3']) await end(text);
  await Promise.all(all);
  expect(log).toEqual(['a1', 'b1', 'c1', 'b2', 'a2', 'a3']);
});

test('above the limit of waiting uploads, those of the bot are refused and those of another accepted', async () => {
  const queue = new UploadQueue();
  const run = () => new Promise<void>(() => {});
  for (let i = 0; i < 2000; i += 1) queue.add('a', { size: 1, run });
  await expect(queue.admit('a')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'A bot must have at most 2000 files waiting for indexing; it has 2001: try again when some are indexed.',
  });
  await queue.admit('b');
});

test('a small upload does not wait for large ones of several bots, and another large one does', async () => {
  const queue = new UploadQueue();
  const began: string[] = [];
  const add = (bot: string, size: number) =>
    queue.add(bot, {
      size,
      run() {
        began.push(bot);
        return new Promise<void>(() => {});
      },
    });
  for (const bot of ['a', 'b', 'c']) add(bot, 64 << 20);
  add('d', 15);
  for (let turn = 0; turn < 9; turn += 1) await setImmediate();
  expect(began).toEqual(['a', 'b', 'd']);
});

test('queries and texts are embedded on behalf of their bot, so that bots can take turns', async () => {
  const owners = { query: [] as unknown[], passages: [] as unknown[] };
  const hash = createHashEmbedder();
  const model: Embedder = {
    ...hash,
    async embedPassages(texts, options) {
      owners.passages.push(options?.owner);
      return hash.embedPassages(texts, options);
    },
    async embedQuery(text, options) {
      owners.query.push(options?.owner);
      return hash.embedQuery(text, options);
    },
  };
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model });
  onTestFinished(() => host.close());
  const workspace = await host.workspace((await host.createWorkspace('acme')).id);
  for (const name of ['a', 'b']) {
    owners.query.length = 0;
    owners.passages.length = 0;
    const { bot } = await workspace.createBot({ name });
    const files = await host.bot(bot.id);
    await files.uploadFile({ key: 'a.md', content: `Kettle ${name}.`, index: true });
    await until(async () => (await files.getFile({ id: 'a.md' })).file.status !== 'indexing_pending');
    await files.searchFiles({ query: `kettle ${name}` });
    expect(owners).toEqual({ query: [bot.id], passages: [bot.id] });
  }
});

test('a search does not wait for all that another bot has sent before', async () => {
  const { slow: busy, other } = await bots();
  for (const bot of [busy, other]) {
    await bot.uploadFile({ key: 'a.md', content: 'A small kettle.', index: true });
    await until(async () => (await bot.getFile({ id: 'a.md' })).file.status !== 'indexing_pending');
    await bot.searchFiles({ query: 'kettle' });
  }
  const ended: string[] = [];
  const search = async (bot: BotFiles, name: string) => {
    await bot.searchFiles({ query: `kettle ${name}` });
    ended.push(name);
  };
  const all = ['b1', 'b2', 'b3', 'b4', 'b5'].map((name) => search(busy, name));
  await Promise.all([...all, search(other, 'o1')]);
  expect(ended).toEqual(['b1', 'o1', 'b2', 'b3', 'b4', 'b5']);
});

test('a search that waits for its turn refuses what is not an AbortSignal, and heeds one', async () => {
  const { slow } = await bots();
  const search = (signal: unknown) => slow.searchFiles({ query: 'kettle' }, { signal: signal as AbortSignal });
  await expect(search('stop')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'signal must be an AbortSignal; it is "stop".',
  });
  await expect(search(AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
});
