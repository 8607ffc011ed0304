import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** Changes the working folder until the test finishes. */
function enter(folder: string): void {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
}

test('options that the caller changes after the call are used as they were given', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'a.db');
  const options = { database, model: createHashEmbedder(), bot: 'default' };
  const opening = openEngine(options);
  Object.assign(options, { database: path.join(folder, 'b.db'), bot: 'other' });
  const engine = await opening;
  onTestFinished(() => engine.close());
  const { bot, database: opened } = await engine.status();
  expect([bot.name, opened]).toEqual(['default', database]);
});

test('so are those of a host', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'a.db');
  const options = { database, model: createHashEmbedder() };
  const opening = openHost(options);
  options.database = path.join(folder, 'b.db');
  const host = await opening;
  onTestFinished(() => host.close());
  const { bot } = await (await host.workspace()).createBot({ name: 'support' });
  expect((await (await host.bot(bot.id)).index.status()).database).toBe(database);
});

test('patterns that the caller changes while a run waits are used as they were given', async () => {
  const folder = folderOf({ 'a.md': 'A yak.', 'drafts/b.md': 'A wolf.' });
  const engine = await engineOf();
  const ignore = ['drafts/'];
  const runs = [engine.indexFolder(folder, { ignore }), engine.indexFolder(folder, { ignore })];
  ignore.length = 0;
  await Promise.all(runs);
  expect(await engine.keys()).toEqual(['a.md']);
});

test('relative paths start from the folder in which the call was made, however long it waits', async () => {
  const root = folderOf({ 'one/docs/a.md': 'A yak.', 'one/more/b.md': 'A wolf.', 'two/docs/c.md': 'An owl.' });
  mkdirSync(path.join(root, 'two/more'));
  enter(path.join(root, 'one'));
  const opening = openEngine({ database: 'waymark.db', model: createHashEmbedder() });
  process.chdir(path.join(root, 'two'));
  const engine = await opening;
  onTestFinished(() => engine.close());
  expect((await engine.status()).database).toBe(path.join(root, 'one/waymark.db'));
  process.chdir(path.join(root, 'one'));
  const changes = [engine.addFolder('more'), engine.indexFolder('docs'), engine.indexFolder('docs')];
  process.chdir(path.join(root, 'two'));
  await Promise.all(changes);
  await engine.indexFolders();
  expect(await engine.keys()).toEqual(['a.md', 'more/b.md']);
  process.chdir(path.join(root, 'one'));
  const dropped = engine.dropFolder('docs');
  process.chdir(path.join(root, 'two'));
  await dropped;
  expect(await engine.keys()).toEqual(['more/b.md']);
});

test.skipIf(process.platform === 'win32')(
  'files are indexed although the working folder has been deleted',
  async () => {
    const root = folderOf({ 'docs/a.md': 'A yak.', 'gone/b.md': '' });
    const engine = await engineOf();
    enter(path.join(root, 'gone'));
    rmSync(path.join(root, 'gone'), { recursive: true });
    expect(await engine.indexFolder(path.join(root, 'docs'))).toMatchObject({ added: 1, failed: [] });
  },
);
