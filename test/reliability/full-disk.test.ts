import { readdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openEngine, openHost, type SearchEngine } from 'waymark';
import { readSecret, writeSecret } from '#src/cli/actions/serve/secret-file.js';
import { assembleEngine } from '#src/engine/assemble-engine.js';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { SqliteStorage } from '#src/sqlite/sqlite-storage.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';
import { answers, checked, DOCS, LARGE, outlives, SOUND } from './outlives.js';
import { mayMount, mounted } from './small-disk.js';
import { tell, times } from './torture.js';

const mounts = mayMount();

const FULL = { code: 'DISK_FULL', reason: /database or disk is full.*before is kept: check the free space/ };

/** An engine over a database limited to a number of pages: `SQLITE_FULL` without mounting anything. */
async function limited(): Promise<{
  file: string;
  connection: Connection;
  engine: SearchEngine;
  limit: (pages: number) => void;
}> {
  const file = path.join(folderOf(), 'waymark.db');
  const connection = openConnection(file, { create: true });
  const storage = new SqliteStorage(connection, { warn: () => {} });
  const opened = { embedder: createHashEmbedder(), location: undefined };
  const bot = await storage.accounts.bots.ensure('default');
  const engine = await assembleEngine(bot, { storage, opened, options: {} });
  onTestFinished(() => engine.close());
  return { file, connection, engine, limit: (pages) => connection.pragma(`max_page_count = ${pages}`) };
}

describe('a full disk', () => {
  it.skipIf(!mounts)('fails writes, and searches continue (requires permission to mount)', async () => {
    const disk = mounted(8);
    const file = path.join(disk.folder, 'waymark.db');
    const engine = await openEngine({ database: file, model: createHashEmbedder() });
    onTestFinished(() => engine.close());
    await outlives(engine, disk, { file, ...FULL });
  });

  it('is also reported if SQLite detects it: a database that may not grow', async () => {
    const { file, engine, limit } = await limited();
    // SQLite raises a smaller limit to the current number of pages.
    await outlives(engine, { begin: () => limit(1), end: () => limit(2 ** 30) }, { file, ...FULL });
  });

  it('leaves each file whole or absent, at any page, and the next run completes the index', async () => {
    const docs = folderOf({ ...DOCS, 'large.md': LARGE });
    const whole = await limited();
    const pages = () => Number(whole.connection.pragma('page_count'));
    const empty = pages();
    await whole.engine.indexFolder(docs);
    const needed = pages() - empty;
    const runs = times(3, 60);
    for (let i = 0; i < runs; i++) {
      const { file, engine, limit } = await limited();
      limit(empty + Math.floor((needed * i) / runs));
      await expect(engine.indexFolder(docs)).rejects.toMatchObject({ code: 'DISK_FULL' });
      const { files } = await engine.status();
      limit(2 ** 30);
      const { added, unchanged } = await engine.indexFolder(docs);
      expect([added, unchanged]).toEqual([13 - files, files]);
      expect(await answers(engine)).toEqual(await answers(whole.engine));
      await engine.close();
      expect(checked(file)).toEqual({ sound: SOUND, files: 13 });
    }
    tell(`disk full at ${runs} places of an indexing run: each file whole or out`);
  });

  it.skipIf(!mounts)(
    'does not prevent an index from being opened and searched (requires permission to mount)',
    async () => {
      const disk = mounted(4);
      const database = path.join(disk.folder, 'waymark.db');
      const engine = await openEngine({ database, model: createHashEmbedder() });
      await engine.indexFolder(folderOf(DOCS));
      const before = await answers(engine);
      disk.begin();
      const second = await openEngine({ database, model: createHashEmbedder(), create: false });
      expect(await answers(second)).toEqual(before);
      await second.close();
      expect(await answers(engine)).toEqual(before);
      await engine.close();
    },
  );

  it.skipIf(!mounts)('fails an upload, which can be retried (requires permission to mount)', async () => {
    const disk = mounted(8);
    const database = path.join(disk.folder, 'waymark.db');
    const host = await openHost({ database, model: createHashEmbedder() });
    onTestFinished(() => host.close());
    const { files } = await newBot(host);
    await files.uploadFile({ key: 'a.md', content: '# A\n\nThe word apples.', index: true });
    await until(() => host.status().pending === 0);
    const found = await files.searchFiles({ query: 'apples' });
    // Uploaded before the disk was full, and indexed now.
    const taken = await files.uploadFile({ key: 'taken.md', content: LARGE, index: true });
    disk.begin();
    await until(() => host.status().pending === 0);
    const refused = {
      code: 'DISK_FULL',
      message: expect.stringContaining('but what was stored before is kept: check the free space'),
    };
    await expect(files.uploadFile({ key: 'b.md', content: LARGE, index: true })).rejects.toMatchObject(refused);
    expect(await files.searchFiles({ query: 'apples' })).toEqual(found);
    expect((await files.getFile({ id: taken.file.id })).file.status).toMatch(/^indexing_(pending|failed)$/);
    disk.end();
    await files.uploadFile({ key: 'b.md', content: LARGE, index: true });
    await files.uploadFile({ key: 'taken.md', content: LARGE, index: true });
    await until(() => host.status().pending === 0);
    const { files: listed } = await files.listFiles({ sortField: 'key', sortDirection: 'asc' });
    expect(listed.map(({ key, status }) => [key, status])).toEqual([
      ['a.md', 'indexing_completed'],
      ['b.md', 'indexing_completed'],
      ['taken.md', 'indexing_completed'],
    ]);
  });

  it.skipIf(!mounts).each([true, false])(
    'changes nothing of a file whose upload it fails, with index: %s (requires permission to mount)',
    async (index) => {
      const disk = mounted(8);
      const database = path.join(disk.folder, 'waymark.db');
      const host = await openHost({ database, model: createHashEmbedder() });
      onTestFinished(() => host.close());
      const { files } = await newBot(host);
      await files.uploadFile({ key: 'a.bin', content: 'old', tags: { is: 'old' } });
      const listed = async () => (await files.listFiles()).files.map(({ url: _, ...file }) => file);
      const before = await listed();
      let refused = 0;
      for (let isStored = false; !isStored; refused++) {
        disk.begin();
        disk.free(refused * 4096);
        const uploads = ['a.bin', 'b.bin'].map((key) => files.uploadFile({ key, content: 'new', index }));
        const outcomes = await Promise.allSettled(uploads);
        disk.end();
        isStored = outcomes.some(({ status }) => status === 'fulfilled');
        if (!isStored) expect(await listed()).toEqual(before);
      }
      expect(refused).toBeGreaterThan(1);
    },
  );

  it.skipIf(!mounts)(
    'for temporary files costs only the HNSW snapshot, with one warning (requires permission to mount)',
    async () => {
      const disk = mounted(1);
      const database = path.join(folderOf(), 'waymark.db');
      const docs = folderOf(DOCS);
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      const options = { database, model: createHashEmbedder(), index: 'hnsw', onWarning } as const;
      disk.begin();
      const before = process.env.TMPDIR;
      process.env.TMPDIR = disk.folder;
      onTestFinished(() => {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
      });
      const engine = await openEngine(options);
      await engine.indexFolder(docs);
      const found = await answers(engine);
      await engine.close();
      const left = readdirSync(disk.folder);
      disk.end();
      expect(left).toEqual(['filler']);
      expect(warnings).not.toEqual([]);
      for (const warning of warnings)
        expect(warning).toMatch(/cannot be written to a temporary file in .*: free some space there/);
      warnings.length = 0;
      const again = await openEngine(options);
      expect(await answers(again)).toEqual(found);
      await again.indexFolder(docs);
      await again.close();
      expect([warnings, readdirSync(disk.folder)]).toEqual([[], []]);
      const snapshots = new Sqlite(database, { readonly: true });
      expect(snapshots.prepare(`SELECT count(*) FROM snapshots`).pluck().get()).toBe(1);
      snapshots.close();
    },
  );

  it.skipIf(!mounts)('keeps a secret as it was, and no file open (requires permission to mount)', async () => {
    const disk = mounted(1);
    const file = path.join(disk.folder, 'secret');
    writeSecret(file, 'one');
    disk.begin();
    const opened = readdirSync('/proc/self/fd').length;
    expect(() => writeSecret(file, 'two')).toThrow(/cannot be read or replaced \(ENOSPC\): /);
    expect(readdirSync('/proc/self/fd')).toHaveLength(opened);
    expect([readSecret(file), readdirSync(disk.folder).sort()]).toEqual(['one', ['filler', 'secret']]);
  });
});
