import path from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const KB = 1024;
const MB = 1024 * KB;

async function hosted(database = path.join(folderOf(), 'waymark.db')) {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  const announce = async (key: string, size: number) => {
    const { file } = await files.upsertFile({ key, size, index: false });
    return path.posix.basename(file.uploadUrl);
  };
  return { host, files, announce, database };
}

/** Bytes that tell where they are from. */
function bytesOf(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
}

async function* inPieces(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = Math.max(start, end);
  }
}

async function collected(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

/** What is staged, and what all contents have in bytes. */
function stored(database: string): { staged: number; bytes: number } {
  const connection = new Sqlite(database, { readonly: true });
  try {
    const one = (sql: string) => Number(connection.prepare(sql).pluck().get());
    return {
      staged: one('SELECT count(*) FROM contents WHERE file IS NULL'),
      bytes: one('SELECT coalesce(sum(length(bytes)), 0) FROM content_parts'),
    };
  } finally {
    connection.close();
  }
}

test('a content is stored as it arrives, and read back in any range, whatever its pieces', async () => {
  const { host, files, announce } = await hosted();
  const content = bytesOf(700 * KB);
  const offset = fc.integer({ min: 0, max: content.length });
  const ends = fc.array(offset, { maxLength: 6 }).map((all) => all.sort((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(ends, fc.tuple(offset, offset), async (pieces, [a, b]) => {
      const secret = await announce('a.bin', content.length);
      await host.receive(secret, inPieces(content, pieces));
      const file = await files.content('a.bin');
      expect(file.size).toBe(content.length);
      expect(content.equals(await file.bytes())).toBe(true);
      const range = { start: Math.min(a, b), end: Math.max(a, b) };
      expect(content.subarray(range.start, range.end).equals(await collected(file.read(range)))).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('an upload whose source fails stores nothing, and may be sent again', async () => {
  const { host, files, announce, database } = await hosted();
  const secret = await announce('a.bin', MB);
  async function* breaking() {
    yield bytesOf(600 * KB);
    throw new Error('the cable was pulled');
  }
  await expect(host.receive(secret, breaking())).rejects.toThrow('the cable was pulled');
  expect(stored(database)).toEqual({ staged: 0, bytes: 0 });
  expect((await files.getFile({ id: 'a.bin' })).file.status).toBe('upload_pending');
  expect(await host.receive(secret, bytesOf(MB))).toMatchObject({ status: 'upload_completed', size: MB });
});

test('an upload that is stopped stores nothing, even if all of it has arrived, and may be sent again', async () => {
  const { host, announce, database } = await hosted();
  const secret = await announce('a.bin', MB);
  const stopping = new AbortController();
  async function* stopped() {
    yield bytesOf(MB);
    stopping.abort();
  }
  const receiving = host.receive(secret, stopped(), { signal: stopping.signal });
  await expect(receiving).rejects.toMatchObject({ code: 'ABORTED' });
  expect(stored(database)).toEqual({ staged: 0, bytes: 0 });
  expect(await host.receive(secret, bytesOf(MB))).toMatchObject({ size: MB });
});

test('an upload that waits for its turn ends with its signal, and is not stored', async () => {
  const { files, database } = await hosted();
  const stop = new AbortController();
  const { signal } = stop;
  const first = files.uploadFile({ key: 'a.bin', content: bytesOf(1), index: false });
  const stopped = [
    files.uploadFile({ key: 'b.bin', content: bytesOf(8 * MB), index: true }, { signal }),
    files.uploadFile({ key: 'c.bin', content: bytesOf(8 * MB), index: false }, { signal }),
  ];
  const refused = stopped.map((upload) => expect(upload).rejects.toMatchObject({ code: 'ABORTED' }));
  stop.abort();
  await Promise.all(refused);
  await first;
  expect((await files.listFiles()).files.map(({ key }) => key)).toEqual(['a.bin']);
  expect(stored(database).staged).toBe(0);
});

test('an announcement that waits for its turn ends with its signal, and announces nothing', async () => {
  const { files } = await hosted();
  const stop = new AbortController();
  const announced = files.upsertFile({ key: 'a.bin', size: 1 }, { signal: stop.signal });
  stop.abort();
  await expect(announced).rejects.toMatchObject({ code: 'ABORTED' });
  expect((await files.listFiles()).files).toEqual([]);
});

test('an upload that stalls ends with its signal, and may be sent again', async () => {
  const { host, announce, database } = await hosted();
  const secret = await announce('a.bin', MB);
  const stopping = new AbortController();
  async function* stalled() {
    yield bytesOf(600 * KB);
    stopping.abort();
    await new Promise(() => {});
  }
  const receiving = host.receive(secret, stalled(), { signal: stopping.signal });
  await expect(receiving).rejects.toMatchObject({ code: 'ABORTED', message: 'Stopped. Nothing was stored.' });
  expect(stored(database)).toEqual({ staged: 0, bytes: 0 });
  expect(await host.receive(secret, bytesOf(MB))).toMatchObject({ size: MB });
});

test('bytes that arrive beyond the announced size are counted, but not stored', async () => {
  const { host, files, announce, database } = await hosted();
  const secret = await announce('a.bin', 3);
  async function* long() {
    for (let i = 0; i < 8; i += 1) yield bytesOf(MB);
  }
  await expect(host.receive(secret, long())).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect((await files.getFile({ id: 'a.bin' })).file.failedStatusReason).toBe('8388608 bytes arrived instead of 3');
  expect(stored(database)).toEqual({ staged: 0, bytes: 0 });
  expect(await host.receive(secret, bytesOf(3))).toMatchObject({ size: 3 });
});

test('a source that yields anything but bytes is refused', async () => {
  const { host, announce } = await hosted();
  const secret = await announce('a.bin', 3);
  async function* texts() {
    yield 'abc' as never;
  }
  await expect(host.receive(secret, texts())).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'content must yield Uint8Arrays; it yielded "abc".',
  });
});

test.each([
  ['a string', 'abc', 'content must be a Uint8Array, or an AsyncIterable of them; it is "abc".'],
  ['nothing', undefined, 'content must be a Uint8Array, or an AsyncIterable of them; it is missing.'],
])('a content that is %s is refused', async (_, content, message) => {
  const { host, announce } = await hosted();
  const receiving = host.receive(await announce('a.bin', 3), content as never);
  await expect(receiving).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});

test('of two uploads to one address at once, one is stored', async () => {
  const { host, announce, database } = await hosted();
  const secret = await announce('a.bin', 300 * KB);
  const uploads = [1, 2].map(() => host.receive(secret, bytesOf(300 * KB)));
  const ended = await Promise.allSettled(uploads);
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'UPLOAD_MISSING' } });
  expect(stored(database)).toEqual({ staged: 0, bytes: 300 * KB });
});

test('an upload that the end of the process interrupted is removed an hour later', async () => {
  const { host, announce, database } = await hosted();
  const secret = await announce('a.bin', MB);
  let arrived = () => {};
  const half = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  async function* hanging() {
    yield bytesOf(600 * KB);
    arrived();
    await new Promise(() => {});
  }
  host.receive(secret, hanging()).catch(() => {});
  await half;
  await host.close();
  const restarted = await openHost({ database, model: createHashEmbedder() });
  await restarted.close();
  expect(stored(database)).toEqual({ staged: 1, bytes: 512 * KB });
  const connection = new Sqlite(database);
  connection.prepare('UPDATE contents SET touched_at = ?').run(new Date(Date.now() - 61 * 60_000).toISOString());
  connection.close();
  const later = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => later.close());
  await until(() => stored(database).staged === 0);
  expect(stored(database).bytes).toBe(0);
});

test('a large content that is replaced while it is read is FILE_MISSING; a small one is read whole', async () => {
  const { files } = await hosted();
  for (const [size, isSmall] of [
    [600 * KB, false],
    [200 * KB, true],
  ] as const) {
    await files.uploadFile({ key: 'a.bin', content: bytesOf(size), index: false });
    const before = await files.content('a.bin');
    await files.uploadFile({ key: 'a.bin', content: 'other', index: false });
    if (isSmall) expect(bytesOf(size).equals(await before.bytes())).toBe(true);
    else {
      await expect(before.bytes()).rejects.toMatchObject({
        code: 'FILE_MISSING',
        message: 'The content of "a.bin" was replaced or deleted while it was read: read it again.',
      });
    }
  }
});

test('a copy of a large content has the same bytes', async () => {
  const { files } = await hosted();
  const content = bytesOf(700 * KB);
  await files.uploadFile({ key: 'a.bin', content, index: false });
  await files.copyFile({ id: 'a.bin', destinationKey: 'b.bin' });
  await files.uploadFile({ key: 'a.bin', content: 'other', index: false });
  expect(content.equals(await (await files.content('b.bin')).bytes())).toBe(true);
});

test('a text above the limit of a text is stored, and its status says why it is not indexed', async () => {
  const { host, files } = await hosted();
  const content = Buffer.alloc(64 * MB + 1, 'A kettle.\n');
  await files.uploadFile({ key: 'a.md', content, index: true });
  await until(() => host.status().pending === 0);
  expect((await files.getFile({ id: 'a.md' })).file).toMatchObject({
    status: 'indexing_failed',
    failedStatusReason: 'The text must have at most 64 MB; it has 67108865 bytes: split it.',
    size: content.length,
  });
  expect((await files.content('a.md')).size).toBe(content.length);
});
