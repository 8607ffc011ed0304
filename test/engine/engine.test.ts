import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A database with one indexed file, closed. */
async function databaseOf({ dimensions = 64 } = {}): Promise<string> {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder({ dimensions }) });
  await engine.indexFile('a.md', 'apples');
  await engine.close();
  return database;
}

test('a missing database is created with its folders and the bot "default"', async () => {
  const database = path.join(folderOf(), 'new', 'folder', 'waymark.db');
  const engine = await engineOf({ database });
  expect(existsSync(database)).toBe(true);
  expect((await engine.getBot()).bot.name).toBe('default');
});

test('a missing database is INDEX_MISSING with create: false, and none is created', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'new', 'waymark.db');
  await expect(openEngine({ database, create: false })).rejects.toMatchObject({
    code: 'INDEX_MISSING',
    message: `No index at ${database}. Create one with: waymark index <folder>`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('no database is created for an unknown bot or model', async () => {
  const folder = folderOf();
  const database = path.join(folder, 'waymark.db');
  await expect(openEngine({ database, bot: 'other' })).rejects.toMatchObject({
    code: 'BOT_MISSING',
    message: 'There is no bot "other": create it with: waymark bot create other',
  });
  await expect(openEngine({ database, model: 'nowhere' })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  await expect(openEngine({ database, model: { folder } })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  await expect(openEngine({ database, model: {} })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a bot is opened by name or id and has its own files; an unknown one is BOT_MISSING', async () => {
  const database = await databaseOf();
  const first = await engineOf({ database });
  const {
    bot: { id },
  } = await first.createBot({ name: 'support' });
  for (const bot of ['support', id]) expect((await (await engineOf({ database, bot })).getBot()).bot.id).toBe(id);
  const support = await engineOf({ database, bot: 'support' });
  await support.indexFile('b.md', 'pears');
  expect((await support.search('apples')).map(({ file }) => file.key)).toEqual(['b.md']);
  expect((await first.search('pears')).map(({ file }) => file.key)).toEqual(['a.md']);
  const { id: ofSupport = '' } = (await support.readFile('b.md')) ?? {};
  expect(await support.passagesOf(ofSupport, { from: 0, to: 0 })).toMatchObject([{ content: 'pears' }]);
  expect(await first.passagesOf(ofSupport, { from: 0, to: 0 })).toEqual([]);
  await expect(openEngine({ database, bot: 'other' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
});

test('an engine whose bot another process has deleted reads and changes no files of the next bot', async () => {
  const database = await databaseOf();
  const first = await engineOf({ database });
  const { bot } = await first.createBot({ name: 'old' });
  const old = await engineOf({ database, bot: bot.id });
  await old.indexFile('b.md', 'pears');
  const host = await openHost({ database, model: createHashEmbedder() });
  await (await host.workspace()).deleteBot({ id: bot.id });
  await host.close();
  const next = await engineOf({ database, bot: (await first.createBot({ name: 'next' })).bot.id });
  await next.indexFile('c.md', 'plums');
  const missing = { code: 'BOT_MISSING', message: 'The bot was deleted: open another one.' };
  await expect(old.search('plums')).rejects.toMatchObject(missing);
  await expect(old.indexFile('d.md', 'figs')).rejects.toMatchObject(missing);
  expect(await next.keys()).toEqual(['c.md']);
});

test('opening with another model than that of the files is MODEL_MISMATCH and changes nothing', async () => {
  const database = await databaseOf({ dimensions: 64 });
  const before = await (await engineOf({ database })).status();
  const message = (before: string, now: string) =>
    `The files of bot "default" were embedded with ${before}, not with this ${now}: open it with that embedder, index into another bot, or re-embed them with waymark index --reembed.`;
  await expect(openEngine({ database, model: createHashEmbedder({ dimensions: 32 }) })).rejects.toMatchObject({
    code: 'MODEL_MISMATCH',
    message: message('hash (hash 64)', 'hash (hash 32)'),
  });
  await expect(openEngine({ database })).rejects.toMatchObject({ message: message('hash', 'waymark-docs-small-en') });
  const engine = await engineOf({ database });
  expect(await engine.status()).toEqual(before);
  expect(await engine.search('apples')).toHaveLength(1);
});

test('the model of a bot without files may change', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  for (const dimensions of [64, 32]) {
    const engine = await openEngine({ database, model: createHashEmbedder({ dimensions }) });
    expect((await engine.status()).model.dimensions).toBe(dimensions);
    await engine.indexFile('a.md', 'apples');
    expect(await engine.search('apples')).toHaveLength(1);
    await engine.removeFile('a.md');
    await engine.close();
  }
});

test('the recorded model is the default', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const model = { folder: 'waymark-docs-small-en', card: { maxTokens: 128 } };
  const first = await openEngine({ database, model });
  await first.indexFile('a.md', 'apples');
  await first.close();
  const engine = await openEngine({ database });
  expect((await engine.status()).model).toMatchObject({ id: 'waymark-docs-small-en', dimensions: 384, maxTokens: 128 });
  expect(await engine.search('apples')).toHaveLength(1);
  await engine.close();
  await expect(openEngine({ database, model: 'waymark-docs-small-en' })).rejects.toMatchObject({
    code: 'MODEL_MISMATCH',
    message: expect.stringContaining(
      ': omit the model, index into another bot, or re-embed them with waymark index --reembed.',
    ),
  });
});

test('a model whose embeddings do not have the dimensions of its card is EMBEDDER_FAILED', async () => {
  const engine = await engineOf({ model: { folder: 'waymark-docs-small-en', card: { dimensions: 100 } } });
  await expect(engine.indexFile('a.md', 'apples')).rejects.toMatchObject({
    code: 'EMBEDDER_FAILED',
    message: 'waymark-docs-small-en could not embed a text: the model returns 384 dimensions but its card states 100.',
  });
  expect((await engine.status()).embedded).toBe(0);
});

test('a file that is not a database is DATABASE_DAMAGED and left unchanged', async () => {
  const file = path.join(folderOf({ 'notes.db': 'these are my notes, not a database'.repeat(100) }), 'notes.db');
  const before = readFileSync(file);
  for (const create of [true, false]) {
    await expect(openEngine({ database: file, create })).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
  }
  expect(readFileSync(file)).toEqual(before);
});

test('a database with damaged pages is DATABASE_DAMAGED, with a remedy', async () => {
  const database = await databaseOf();
  const bytes = readFileSync(database);
  bytes.fill(0xa5, 4096);
  const damaged = path.join(folderOf(), 'damaged.db');
  writeFileSync(damaged, bytes);
  await expect(openEngine({ database: damaged, model: createHashEmbedder() })).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
    message: expect.stringMatching(
      /: try waymark doctor --repair; if that does not help, restore a backup or index again into a new file\.$/,
    ),
  });
});

test('a database of a newer version is DATABASE_TOO_NEW', async () => {
  const database = await databaseOf();
  const raw = openConnection(database, { create: false });
  raw.pragma('user_version = 999');
  raw.close();
  await expect(openEngine({ database })).rejects.toMatchObject({
    code: 'DATABASE_TOO_NEW',
    message: expect.stringMatching(/: update Waymark\.$/),
  });
});

test('a path where no database can be created is DATABASE_UNWRITABLE, and a folder INVALID_ARGUMENT', async () => {
  const folder = folderOf({ 'a.md': 'a file' });
  const codeOf = (database: string) => openEngine({ database }).catch(({ code }) => code);
  expect(await codeOf(path.join(folder, 'a.md', 'waymark.db'))).toBe('DATABASE_UNWRITABLE');
  expect(await codeOf(folder)).toBe('INVALID_ARGUMENT');
});

test('status reports files, folders, warnings, model and vector index', async () => {
  const folder = folderOf({
    'docs/a.md': '# A\n\napples and more\n\n## B\n\npears and more\n',
    'docs/b.md': '---\n: :\n---\n\nplums\n',
  });
  const database = path.join(folder, 'waymark.db');
  const engine = await engineOf({ database });
  const { deployedAt, ...bot } = (await engine.status()).bot;
  expect({ deployedAt, bot }).toStrictEqual({
    deployedAt: undefined,
    bot: {
      id: expect.stringMatching(UUID),
      name: 'default',
      createdAt: expect.stringMatching(ISO),
      updatedAt: expect.stringMatching(ISO),
      tags: {},
      type: 'studio',
    },
  });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.indexFile('given.md', 'quinces');
  expect(await engine.status()).toStrictEqual({
    database,
    base: folder,
    bytes: expect.any(Number),
    bot: { ...bot, updatedAt: expect.stringMatching(ISO), deployedAt: expect.stringMatching(ISO) },
    model: createHashEmbedder().card,
    index: 'exact',
    files: 3,
    passages: 4,
    embedded: 4,
    folders: [
      { folder: null, files: 1 },
      { folder: 'docs', files: 2 },
    ],
    warnings: [{ key: 'b.md', reason: expect.stringMatching(/^The front matter could not be read/) }],
  });
});

test('bots are created, listed oldest first, and found by name or id', async () => {
  const engine = await engineOf();
  const { bot: zebra } = await engine.createBot({ name: 'zebra' });
  const { bot: ant } = await engine.createBot({ name: 'ant' });
  const { bots } = await engine.listBots({ sortDirection: 'asc' });
  expect(bots.map(({ name }) => name)).toEqual(['default', 'zebra', 'ant']);
  expect([zebra, ant]).toMatchObject(bots.slice(1));
  expect(bots[1]).toStrictEqual({
    id: expect.stringMatching(UUID),
    name: 'zebra',
    createdAt: expect.stringMatching(ISO),
    updatedAt: expect.stringMatching(ISO),
    tags: {},
    type: 'studio',
  });
  for (const bot of bots) {
    expect(await engine.getBot({ id: bot.name })).toMatchObject({ bot });
    expect(await engine.getBot({ id: bot.id })).toMatchObject({ bot });
  }
  expect(await engine.getBot()).toMatchObject({ bot: bots[0] });
  await expect(engine.getBot({ id: 'cow' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
  await expect(engine.createBot({ name: 'ant' })).rejects.toMatchObject({ code: 'BOT_EXISTS' });
  expect((await engine.listBots()).bots).toHaveLength(3);
});

test('an index that is moved with its folder indexes nothing again', async () => {
  const folder = folderOf({ 'docs/a.md': 'apples' });
  const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model: createHashEmbedder() });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.close();
  const other = folderOf({ 'docs/a.md': 'apples' });
  copyFileSync(path.join(folder, 'waymark.db'), path.join(other, 'waymark.db'));
  const moved = await engineOf({ database: path.join(other, 'waymark.db') });
  expect(await moved.indexFolder(path.join(other, 'docs'))).toMatchObject({ added: 0, removed: 0, unchanged: 1 });
});

test('embeddedPassages gives what searches by meaning compare; wrong options are refused', async () => {
  const engine = await engineOf();
  await engine.indexFile('b.md', 'pears');
  await engine.indexFile('a.md', '# Apples\n\nThey are picked.', { tags: { kind: 'fruit' } });
  const [apples, pears] = await engine.embeddedPassages();
  expect([apples?.key, apples?.passage.breadcrumb, pears?.passage.content]).toEqual(['a.md', ['Apples'], 'pears']);
  const [hit] = await engine.search('picked apples', { mode: 'dense', explain: true });
  const query = await createHashEmbedder({ dimensions: pears?.embedding.length ?? 0 }).embedQuery('picked apples');
  const cosine = query.reduce((sum, x, i) => sum + x * (apples?.embedding[i] ?? 0), 0);
  expect(hit?.explanation?.dense?.cosine).toBeCloseTo(cosine, 5);
  expect((await engine.embeddedPassages({ tags: { kind: 'fruit' } })).map(({ key }) => key)).toEqual(['a.md']);
  expect((await engine.embeddedPassages({ path: '*.md', limit: 1 })).map(({ key }) => key)).toEqual(['a.md']);
  await expect(engine.embeddedPassages({ limit: 0 })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'limit must be an integer from 1 to 100000; it is 0.',
  });
});
