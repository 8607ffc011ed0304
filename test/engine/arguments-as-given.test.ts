import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyDatabase, createHashEmbedder, examine, type ModelLocation, openEngine, openHost, reembed } from 'waymark';
import { validateOpening } from '#src/engine/engine-options.js';
import { BUNDLED } from '../embed/models.js';
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

test('options of a host that the caller changes after the call are used as they were given', async () => {
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

/** A folder with a database, and with a folder `one` in which `model` is a model. */
async function besideModel() {
  const root = folderOf({ 'one/a.md': 'A yak.' });
  const one = path.join(root, 'one');
  symlinkSync(BUNDLED, path.join(one, 'model'), 'junction');
  const database = path.join(root, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  await engine.indexFile('a.md', 'A yak.');
  await engine.close();
  return { root, one, database };
}

test('relative paths of models start from the folder in which the call was made', async () => {
  const { root, one, database } = await besideModel();
  const empty = path.join(root, 'empty.db');
  await (await openEngine({ database: empty, model: createHashEmbedder() })).close();
  const calls = [
    async () => {
      const engine = await openEngine({ database: empty, model: './model', processes: 1 });
      onTestFinished(() => engine.close());
      return (await engine.status()).model.id;
    },
    async () => {
      const to = { database: path.join(root, 'copy.db') };
      return (await copyDatabase({ from: { database }, to, model: './model' })).bots[0]?.copied;
    },
    async (model: ModelLocation) => (await reembed({ database, model, processes: 1 })).model,
    async (model: ModelLocation) =>
      (await examine({ database, model })).findings.find(({ check }) => check === 'model')?.state,
  ];
  const results: unknown[] = [];
  for (const call of calls) {
    const location = { folder: 'model', card: { maxTokens: 128 } };
    enter(one);
    const result = call(location);
    location.folder = 'other';
    location.card.maxTokens = 64;
    process.chdir(root);
    results.push(await result);
  }
  expect(results).toEqual(['model', 1, 'model', 'ok']);
});

test('a missing model is named by the folder of the call, and reported after a missing database', async () => {
  const { root, one, database } = await besideModel();
  mkdirSync(path.join(one, 'models'));
  enter(one);
  const opening = openEngine({ database, model: 'models/none' });
  process.chdir(root);
  await expect(opening).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message: expect.stringContaining(`There is no folder ${path.join(one, 'models/none')}:`),
  });
  for (const model of ['./none', { folder: '' }]) {
    const missing = openEngine({ database: 'none.db', create: false, model });
    await expect(missing).rejects.toMatchObject({ code: 'INDEX_MISSING' });
  }
});

test.each([
  ['the working folder', {}, 'one'],
  ['what is given', { base: 'docs' }, 'one/docs'],
])('the folders of a cluster are relative to %s at the time of the call', (_, given, base) => {
  const root = folderOf({ 'one/a.md': 'A yak.' });
  enter(path.join(root, 'one'));
  const { cluster } = validateOpening({ cluster: { hosts: ['http://127.0.0.1:8080'], ...given } });
  expect(cluster).toMatchObject({ base: path.join(root, base) });
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
