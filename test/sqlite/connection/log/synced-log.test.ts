import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import { folderOf } from '../../../support/folder.js';
import { runModule } from '../../../support/node.js';

/** Watches the syncs of the log: `synced` is what was stored when the last completed one began. */
const WATCHING = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import path from 'node:path';
  import Sqlite from 'better-sqlite3';

  const [, database, folder, log] = process.argv;
  const stored = () => {
    const reader = new Sqlite(database, { readonly: true });
    const tables = ['workspaces', 'bots', 'files', 'file_tags', 'passages', 'embeddings', 'contents', 'uploads'];
    const rows = tables.map((table) => JSON.stringify(reader.prepare('SELECT * FROM ' + table).all()));
    reader.close();
    return rows.join();
  };
  let synced = '';
  let syncs = 0;
  let onSync = () => {};
  let failure;
  const { openSync, fdatasync } = fs;
  let opened;
  fs.openSync = (file, ...more) => {
    const number = openSync(file, ...more);
    if (file === log) opened = number;
    return number;
  };
  fs.fdatasync = (number, done) => {
    const now = stored();
    onSync();
    if (failure) return done(failure);
    fdatasync(number, (error) => {
      if (number === opened) {
        synced = now;
        syncs += 1;
      }
      done(error);
    });
  };
  syncBuiltinESMExports();
  const { createHashEmbedder, openEngine, openHost } = await import('waymark');
  const told = [];`;

/** Prints for each change whether everything that it committed was on disk when it returned. */
const PROGRAM = `${WATCHING}
  const acknowledged = async (name, work) => {
    const result = await work();
    told.push([name, stored() === synced]);
    return result;
  };

  const engine = await openEngine({ database, model: createHashEmbedder() });
  await acknowledged('indexFile', () => engine.indexFile('a.md', 'The pump restarts.'));
  const given = { key: 'a.md', contentType: 'text/plain', tags: {}, metadata: {} };
  const passages = [{ content: 'The valve.', subtype: 'paragraph' }];
  await acknowledged('setPassages', () => engine.setPassages({ ...given, passages }));
  await acknowledged('indexFolder', () => engine.indexFolder(folder));
  await acknowledged('removeFile', () => engine.removeFile('a.md'));
  await acknowledged('createBot', () => engine.createBot({ name: 'other' }));
  await acknowledged('removeAll', () => engine.removeAll());
  await engine.close();

  const host = await openHost({ database, model: createHashEmbedder() });
  const files = await host.bot('other');
  const { file } = await acknowledged('upsertFile', () => files.upsertFile({ key: 'b.txt', size: 4 }));
  await acknowledged('uploadFile', () => files.uploadFile({ key: 'b.txt', content: 'text' }));
  await acknowledged('updateFileMetadata', () => files.updateFileMetadata({ id: file.id, tags: { a: 'b' } }));
  await acknowledged('setFilePassages', () => files.setFilePassages({ id: file.id, passages: [{ content: 'text' }] }));
  await acknowledged('deleteFile', () => files.deleteFile({ id: file.id }));
  await host.createWorkspace('acme');
  const before = stored();
  await host.close();
  told.push(['close', before === synced]);
  console.log(JSON.stringify(told));`;

/** Makes changes at once, half of them during a sync. Prints whether each was on disk when it returned. */
const CHANGES_AT_ONCE = `${WATCHING}
  const engine = await openEngine({ database, model: createHashEmbedder() });
  const before = syncs;
  const changes = (from) =>
    Promise.all(
      Array.from({ length: 25 }, async (_, i) => {
        const name = 'bot ' + (from + i) + '.';
        await engine.createBot({ name });
        told.push(synced.includes(name));
      }),
    );
  let during;
  onSync = () => {
    during ??= changes(25);
  };
  await changes(0);
  await during;
  console.log(JSON.stringify({ onDisk: [...new Set(told)], changes: told.length, areShared: syncs - before < 10 }));
  await engine.close();`;

/** Lets one sync fail. Prints how each change ends: during it, after it, and once the database was opened again. */
const FAILING = `${WATCHING}
  const end = async (work) => told.push(await work().then(() => 'done', ({ code, message }) => [code, message]));
  const open = () => openEngine({ database, model: createHashEmbedder() });
  const engine = await open();
  failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  await end(() => engine.createBot({ name: 'a' }));
  failure = undefined;
  await end(() => engine.createBot({ name: 'b' }));
  await end(() => engine.search('pump'));
  await engine.close();
  const again = await open();
  await end(() => again.createBot({ name: 'c' }));
  await end(async () => told.push((await again.listBots()).bots.map(({ name }) => name).join()));
  await again.close();
  console.log(JSON.stringify(told));`;

const FILES = { 'docs/c.md': '# C\n\nThe lamp.', 'docs/d.md': 'The door.' };
const NAMES = ['indexFile', 'setPassages', 'indexFolder', 'removeFile', 'createBot', 'removeAll', 'upsertFile'];
const MORE = ['uploadFile', 'updateFileMetadata', 'setFilePassages', 'deleteFile', 'close'];
const ALL = [...NAMES, ...MORE].map((name) => [name, true]);

test('when a change returns it is on disk: the log is synced after the last commit', async () => {
  const folder = folderOf(FILES);
  const database = path.join(folder, 'waymark.db');
  const ended = await runModule(PROGRAM, [database, path.join(folder, 'docs'), `${database}-wal`]);
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual(ALL);
});

test('when a change returns it is on disk also if the database was opened by a link', async () => {
  const folder = folderOf({ ...FILES, 'data/other.txt': '', 'etc/other.txt': '' });
  const link = path.join(folder, 'etc', 'waymark.db');
  symlinkSync('../data/waymark.db', link);
  const log = path.join(folder, 'data', 'waymark.db-wal');
  const ended = await runModule(PROGRAM, [link, path.join(folder, 'docs'), log]);
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual(ALL);
});

test('changes at once share syncs, and each is on disk when it returns', async () => {
  const folder = folderOf(FILES);
  const database = path.join(folder, 'waymark.db');
  const ended = await runModule(CHANGES_AT_ONCE, [database, path.join(folder, 'docs'), `${database}-wal`]);
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual({ onDisk: [true], changes: 50, areShared: true });
});

test('after a sync that failed, no change is acknowledged until the database is opened again', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'waymark.db');
  const ended = await runModule(FAILING, [database, folder, `${database}-wal`]);
  expect(ended.stderr).toBe('');
  const unwritable = ['DATABASE_UNWRITABLE', expect.stringContaining('EIO: i/o error, fdatasync')];
  const unsynced = ['DATABASE_UNWRITABLE', expect.stringContaining('check the disk, then open the index again.')];
  expect(JSON.parse(ended.stdout)).toEqual([unwritable, unsynced, 'done', 'done', 'c,b,a,default', 'done']);
});

test('a sync after the database was closed is refused', async () => {
  const storage = await openSqliteStorage(path.join(folderOf(), 'waymark.db'), { create: true, warn: () => {} });
  await storage.sync();
  storage.close();
  await expect(storage.sync()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});
