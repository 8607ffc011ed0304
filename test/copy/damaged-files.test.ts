import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  type CopyOptions,
  type CopyResult,
  copyDatabase,
  createHashEmbedder,
  examine,
  openEngine,
  openHost,
} from 'waymark';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

const model = createHashEmbedder();

test('a file that waits to be indexed, and whose row is damaged, is named, and the others are copied', async () => {
  const { from, to, copy } = await databases(['a.md', 'b.md']);
  change(from, `UPDATE files SET access_policies = '["public_content"]' WHERE key = 'a.md'`);
  const { bots } = await copy();
  const reason = expect.stringContaining('The row of the file a.md is damaged');
  expect(bots).toMatchObject([{ copied: 1, failed: [{ key: 'a.md', reason }], isAlike: false }]);
  expect(keysOf(to)).toEqual(['b.md']);
});

test('a row that cannot be read in the source is named, and the others are copied', async () => {
  const { from, to, copy } = await databases(['a.md', 'b.md']);
  change(from, `UPDATE files SET metadata = '{' WHERE key = 'a.md'`);
  const { bots } = await copy();
  const reason = expect.stringContaining('The row of the file a.md is damaged');
  expect(bots).toMatchObject([{ copied: 1, failed: [{ key: 'a.md', reason }], isAlike: false }]);
  expect(keysOf(to)).toEqual(['b.md']);
});

test('a row that cannot be read in the target is replaced, or removed', async () => {
  const { from, to, copy } = await databases(['a.md', 'b.md']);
  await copy();
  change(to, `UPDATE files SET metadata = '{'`);
  change(from, `DELETE FROM files WHERE key = 'b.md'`);
  expect((await copy()).bots).toMatchObject([{ copied: 1, unchanged: 0, left: 1 }]);
  expect((await copy({ delete: true })).bots).toMatchObject([{ copied: 0, unchanged: 1, removed: 1, isAlike: true }]);
  expect(keysOf(to)).toEqual(['a.md']);
  expect(await damagesOf(to)).toEqual([]);
});

test('a file that only the target has indexed loses its passages when it is replaced', async () => {
  const { from, to, bot, copy, upload } = await databases(['a.md']);
  await copy();
  const host = await openHost({ database: to, model });
  const files = await host.bot(bot);
  await until(async () => (await files.getFile({ id: 'a.md' })).file.status === 'indexing_completed');
  await host.close();
  await upload(from, 'a.md', 'A wolf waits.');
  expect((await copy()).bots).toMatchObject([{ copied: 1, failed: [], passages: 0, isAlike: true }]);
  expect(await damagesOf(to)).toEqual([]);
});

test('a damaged text of a file that is there already does not end the copy', async () => {
  const folder = folderOf();
  const [from, to] = [path.join(folder, 'from.db'), path.join(folder, 'to.db')];
  const engine = await openEngine({ database: from, model });
  await engine.indexFile('a.md', 'A yak.');
  await engine.close();
  const host = await openHost({ database: from, model });
  const { files } = await newBot(host);
  const copy = () => copyDatabase({ from: { database: from }, to: { database: to }, model });
  await copy();
  await files.uploadFile({ key: 'b.md', content: 'A wolf.', index: false });
  await host.close();
  change(from, `UPDATE texts SET text = 'A fox.' WHERE text = 'A yak.'`);
  const notes = [expect.stringContaining('Answers were not compared: The text of a.md is damaged')];
  expect((await copy()).bots).toMatchObject([
    { name: 'default', unchanged: 1, notes, isAlike: false },
    { name: 'support', copied: 1, notes: [], isAlike: true },
  ]);
});

/** A database with a bot of uploads that wait to be indexed, without a model, and the place of its copy. */
async function databases(keys: readonly string[]) {
  const folder = folderOf();
  const [from, to] = [path.join(folder, 'from.db'), path.join(folder, 'to.db')];
  const host = await openHost({ database: from, model });
  const { id: workspace } = await host.createWorkspace('acme');
  const { bot: created } = await (await host.workspace(workspace)).createBot({ name: 'support' });
  const bot = created.id;
  await host.close();
  const upload = async (database: string, key: string, content: string) => {
    const storage = openSqliteStorage(database, { create: false, warn: () => {} });
    const staged = await storage.contents.stage([Buffer.from(content)], bot);
    const file = { key, size: staged.size, contentType: 'text/markdown', tags: {}, metadata: {}, index: true };
    await (await storage.fileRecords(bot)).upsert({ ...file, accessPolicies: [], expiresAt: undefined }, staged);
    storage.close();
  };
  for (const key of keys) await upload(from, key, 'A heron waits.');
  const copy = (options: Partial<CopyOptions> = {}): Promise<CopyResult> =>
    copyDatabase({ from: { database: from }, to: { database: to }, model, ...options });
  return { from, to, bot, copy, upload };
}

function change(database: string, sql: string): void {
  const connection = new Sqlite(database);
  connection.exec(sql);
  connection.close();
}

function keysOf(database: string): unknown[] {
  const connection = new Sqlite(database);
  const keys = connection.prepare('SELECT key FROM files ORDER BY key').pluck().all();
  connection.close();
  return keys;
}

async function damagesOf(database: string) {
  return (await examine({ database, model })).findings.filter(({ state }) => state === 'damaged');
}
