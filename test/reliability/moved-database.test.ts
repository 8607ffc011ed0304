import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { serviceOf } from '../http/service.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { runModule } from '../support/node.js';
import { answers, checked, DOCS, LARGE, outlives, SOUND } from './outlives.js';

const GONE = {
  code: 'DATABASE_MOVED',
  reason: /waymark\.db(-wal)? was deleted or moved since it was opened.*put it back/,
};

function refused(file: string): object {
  const message = `Another file has replaced ${file} since it was opened: close the index and open it again.`;
  return { name: 'WaymarkError', code: 'DATABASE_MOVED', message };
}

/** A folder with a database, and an engine over it. */
async function opened() {
  const folder = path.join(folderOf(), 'index');
  mkdirSync(folder);
  const file = path.join(folder, 'waymark.db');
  return { folder, file, engine: await engineOf({ database: file }) };
}

it('a database moved while open rejects writes until it is back; searches continue', async () => {
  const { file, engine } = await opened();
  const away = `${file}.away`;
  const fault = { begin: () => renameSync(file, away), end: () => renameSync(away, file) };
  await outlives(engine, fault, { file, ...GONE });
});

it('renaming the folder of a database has the same effect', async () => {
  const { folder, file, engine } = await opened();
  const away = `${folder}.away`;
  const fault = { begin: () => renameSync(folder, away), end: () => renameSync(away, folder) };
  await outlives(engine, fault, { file, ...GONE });
});

it('a database deleted while open rejects writes: none is lost silently', async () => {
  const { folder, engine } = await opened();
  await engine.indexFolder(folderOf(DOCS));
  const before = await answers(engine);
  rmSync(folder, { recursive: true });
  const gone = { code: 'DATABASE_MOVED', message: expect.stringMatching(GONE.reason) };
  await expect(engine.indexFile('new.md', 'pears')).rejects.toMatchObject(gone);
  await expect(engine.removeFile('0.md')).rejects.toMatchObject(gone);
  await expect(engine.createBot({ name: 'support' })).rejects.toMatchObject(gone);
  expect(await answers(engine)).toEqual(before);
  await engine.close();
});

it('a log moved while the database is open rejects writes until it is back; searches continue', async () => {
  const { file, engine } = await opened();
  const [log, away] = [`${file}-wal`, `${file}-wal.away`];
  const fault = { begin: () => renameSync(log, away), end: () => renameSync(away, log) };
  await outlives(engine, fault, { file, ...GONE });
});

it('a log deleted while the database is open rejects writes, and closing loses nothing', async () => {
  const { file, engine } = await opened();
  await engine.indexFolder(folderOf(DOCS));
  const before = await answers(engine);
  rmSync(`${file}-wal`);
  const reason = /waymark\.db-wal was deleted or moved since it was opened.*put it back/;
  const gone = { code: 'DATABASE_MOVED', message: expect.stringMatching(reason) };
  await expect(engine.indexFile('new.md', 'pears')).rejects.toMatchObject(gone);
  await expect(engine.indexFile('large.md', LARGE)).rejects.toMatchObject(gone);
  await expect(engine.removeFile('0.md')).rejects.toMatchObject(gone);
  await expect(engine.createBot({ name: 'support' })).rejects.toMatchObject(gone);
  expect(await answers(engine)).toEqual(before);
  await engine.close();
  expect(checked(file)).toEqual({ sound: SOUND, files: 12 });
  expect(await answers(await engineOf({ database: file }))).toEqual(before);
});

it('a log replaced by another rejects every call', async () => {
  const { file, engine } = await opened();
  await engine.indexFolder(folderOf(DOCS));
  const before = await answers(engine);
  const [log, away] = [`${file}-wal`, `${file}-wal.away`];
  renameSync(log, away);
  writeFileSync(log, '');
  await expect(engine.search('apples')).rejects.toMatchObject(refused(log));
  await expect(engine.indexFile('more.md', 'pears')).rejects.toMatchObject(refused(log));
  renameSync(away, log);
  expect(await answers(engine)).toEqual(before);
  await engine.close();
});

it('a database keeps its log when other processes open and close it and move the log into the file', async () => {
  const { file, engine } = await opened();
  await engine.indexFolder(folderOf(DOCS));
  const other = `
    import Sqlite from 'better-sqlite3';
    const database = new Sqlite(process.argv[1]);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.exec('VACUUM');
    database.close();`;
  for (let i = 0; i < 2; i++) {
    expect(await runModule(other, [file])).toMatchObject({ code: 0, stderr: '' });
    expect(await engine.indexFile(`${i}.txt`, 'pears')).toMatchObject({ outcome: 'added' });
  }
  await engine.close();
});

it('a database replaced by another rejects every call and leaves the other one alone', async () => {
  const { folder, file, engine } = await opened();
  await engine.indexFolder(folderOf(DOCS));
  rmSync(folder, { recursive: true });
  const other = await openEngine({ database: file, model: createHashEmbedder() });
  await other.indexFile('new.md', '# New\n\nThe word apples, and pears.');
  const calls = [
    () => engine.search('apples'),
    () => engine.searchFiles({ query: 'apples' }),
    () => engine.indexFile('more.md', 'pears'),
    () => engine.removeFile('0.md'),
    () => engine.indexFolder(folderOf(DOCS)),
    () => engine.status(),
    () => engine.listBots(),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(refused(file));
  await engine.close();
  const found = await answers(other);
  await other.close();
  expect(checked(file)).toEqual({ sound: SOUND, files: 1 });
  expect(readdirSync(folder)).toEqual(['waymark.db']);
  expect(await answers(await engineOf({ database: file }))).toEqual(found);
});

it('a host whose database is gone reads but rejects writes; once replaced, it rejects every call', async () => {
  const { file } = await opened();
  const host = await openHost({ database: file, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { workspaceId, botId: id, files } = await newBot(host);
  rmSync(file);
  const gone = expect.objectContaining({ code: 'DATABASE_MOVED', message: expect.stringMatching(GONE.reason) });
  await expect(host.createWorkspace('other')).rejects.toEqual(gone);
  await expect(host.createToken({ workspaceId, name: 'site', role: 'search' })).rejects.toEqual(gone);
  await expect(files.uploadFile({ key: 'a.md', content: 'apples', index: true })).rejects.toEqual(gone);
  expect((await files.listFiles()).files).toEqual([]);
  const other = await openEngine({ database: file, model: createHashEmbedder() });
  await other.indexFolder(folderOf(DOCS));
  const replaced = expect.objectContaining(refused(file));
  await expect(host.authenticate('wm_token')).rejects.toEqual(replaced);
  await expect(host.bot(id)).rejects.toEqual(replaced);
  await expect(files.searchFiles({ query: 'apples' })).rejects.toEqual(replaced);
  await expect(files.listFiles()).rejects.toEqual(replaced);
  await expect(files.listFileTags()).rejects.toEqual(replaced);
  await host.close();
  const found = await answers(other);
  await other.close();
  expect(checked(file)).toEqual({ sound: SOUND, files: 12 });
  expect(await answers(await engineOf({ database: file }))).toEqual(found);
});

it('a service whose database was replaced is not ready, and its responses reveal nothing', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const service = await serviceOf({}, { database });
  expect((await service.ask('/readyz')).status).toBe(200);
  rmSync(database);
  await (await openEngine({ database, model: createHashEmbedder() })).close();
  expect((await service.ask('/readyz', { headers: { authorization: undefined } })).status).toBe(503);
  const { status, body } = await service.ask('/v1/files/search?query=apples');
  expect([status, body.message]).toEqual([500, 'The service failed: its log has the cause.']);
});
