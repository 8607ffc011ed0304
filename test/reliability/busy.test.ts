import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, createHashEmbedder, openEngine, openHost } from 'waymark';
import { serviceOf } from '../http/service.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const DATABASE = 'waymark.db';

/** Waits milliseconds for another writer instead of ten seconds; the option is internal. */
const IMPATIENT: object = { busyTimeout: 20 };

/** Holds the write lock, as another process would; the returned function releases it. */
function writerOf(database: string): () => void {
  const other = new Sqlite(database);
  other.exec('BEGIN IMMEDIATE');
  onTestFinished(() => {
    other.close();
  });
  return () => other.exec('COMMIT');
}

const busy = (database: string) => ({
  name: 'WaymarkError',
  code: 'BUSY',
  message: `Another process has been writing to ${database} for too long: try again when it has finished.`,
  cause: expect.objectContaining({ code: 'SQLITE_BUSY' }),
});

test('a write that waits too long for another process is BUSY, changes nothing and can be retried', async () => {
  const database = path.join(folderOf(), DATABASE);
  const engine = await engineOf({ database, ...IMPATIENT });
  await engine.indexFile('a.md', 'The pump restarts.');
  const letGo = writerOf(database);
  await expect(engine.indexFile('b.md', 'The valve closes.')).rejects.toMatchObject(busy(database));
  await expect(engine.removeFile('a.md')).rejects.toMatchObject(busy(database));
  await expect(engine.indexFolder(folderOf({ 'c.md': 'text' }))).rejects.toMatchObject(busy(database));
  await expect(engine.createBot({ name: 'other' })).rejects.toMatchObject(busy(database));
  expect(await engine.status()).toMatchObject({ files: 1, passages: 1, embedded: 1 });
  letGo();
  await engine.indexFile('b.md', 'The valve closes.');
  await engine.removeFile('a.md');
  expect((await engine.search('valve')).map(({ file }) => file.key)).toEqual(['b.md']);
});

test('searches continue while another process writes', async () => {
  const database = path.join(folderOf(), DATABASE);
  const engine = await engineOf({ database });
  await engine.indexFile('a.md', 'The pump restarts.');
  writerOf(database);
  const reader = await engineOf({ database, ...IMPATIENT });
  for (const asked of [engine, reader]) {
    expect((await asked.search('pump')).map(({ file }) => file.key)).toEqual(['a.md']);
    expect(await asked.status()).toMatchObject({ files: 1 });
  }
});

test('an index of files whose names have no terms opens while another process writes', async () => {
  const database = path.join(folderOf(), DATABASE);
  const engine = await engineOf({ database });
  await engine.indexFile('🚀.md', 'The pump restarts.');
  writerOf(database);
  const reader = await engineOf({ database, ...IMPATIENT });
  expect((await reader.search('pump')).map(({ file }) => file.key)).toEqual(['🚀.md']);
});

test('an index opens with its model in another place while another process writes', async () => {
  const database = path.join(folderOf(), DATABASE);
  await engineOf({ database, model: 'waymark-docs-small-en' });
  writerOf(database);
  const reader = await engineOf({ database, model: { folder: 'models/waymark-docs-small-en' }, ...IMPATIENT });
  expect(await reader.status()).toMatchObject({ model: { id: 'waymark-docs-small-en' } });
});

test('opening a database that another process is creating fails with BUSY', async () => {
  const database = path.join(folderOf(), DATABASE);
  writerOf(database);
  await expect(openEngine({ database, model: createHashEmbedder(), ...IMPATIENT })).rejects.toMatchObject({
    code: 'BUSY',
  });
});

test('writes to workspaces, bots, tokens and files of a host fail with BUSY; reads succeed', async () => {
  const database = path.join(folderOf(), DATABASE);
  const host = await openHost({ database, model: createHashEmbedder(), ...IMPATIENT });
  onTestFinished(() => host.close());
  const { workspaceId, files } = await newBot(host);
  const workspaces = await host.listWorkspaces();
  const administration = await host.workspace(workspaceId);
  writerOf(database);
  const refused = expect.objectContaining(busy(database));
  await expect(host.createWorkspace('other')).rejects.toEqual(refused);
  await expect(administration.createBot({ name: 'other' })).rejects.toEqual(refused);
  await expect(host.createToken({ workspaceId, name: 't', role: 'admin' })).rejects.toEqual(refused);
  await expect(files.uploadFile({ key: 'a.md', content: 'text' })).rejects.toEqual(refused);
  await expect(files.searchFiles({ query: 'text' })).resolves.toEqual({ passages: [] });
  expect(await host.listWorkspaces()).toEqual(workspaces);
});

test('an uploaded file waits for another writer and is then indexed', async () => {
  const database = path.join(folderOf(), DATABASE);
  const host = await openHost({ database, model: createHashEmbedder(), ...IMPATIENT });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  const { file } = await files.uploadFile({ key: 'a.md', content: 'The pump restarts.', index: true });
  // It is indexed after this one.
  const letGo = writerOf(database);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect((await files.getFile({ id: file.id })).file.status).toBe('indexing_pending');
  letGo();
  await until(() => host.status().pending === 0);
  expect((await files.getFile({ id: file.id })).file.status).toBe('indexing_completed');
});

test('over HTTP, BUSY is a 503 with Retry-After, and BUSY again in the client', async () => {
  const database = path.join(folderOf(), DATABASE);
  const { ask, url, token, botId } = await serviceOf({}, { database, ...IMPATIENT });
  writerOf(database);
  const body = { key: 'a.md', size: 4 };
  const refused = await ask('/v1/files', { method: 'PUT', body });
  const message = 'Another process is writing to the database: try again in a moment.';
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.body).toMatchObject({ code: 503, type: 'Internal', message, metadata: { code: 'BUSY' } });
  const client = createClient({ apiUrl: url, token, botId });
  await expect(client.uploadFile({ key: 'a.md', content: 'text' })).rejects.toMatchObject({ code: 'BUSY', message });
});
