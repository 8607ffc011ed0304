import { linkSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createHashEmbedder, type EngineOptions, examine, openEngine, type SearchEngine } from 'waymark';
import { folderOf } from '../../support/folder.js';

/** Uses an engine over a database, then closes it. */
async function using<T>(
  database: string,
  use: (engine: SearchEngine) => Promise<T>,
  options: Partial<EngineOptions> = {},
): Promise<T> {
  const engine = await openEngine({ model: createHashEmbedder(), ...options, database });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

it('a link to a database is the database: what was indexed by one path is kept current by the other', async () => {
  const folder = folderOf({ 'docs/a.md': 'apples', 'docs/b.md': 'pears', 'deep/etc/x': '', 'data/x': '' });
  const [file, link] = [path.join(folder, 'data/w.db'), path.join(folder, 'deep/etc/w.db')];
  symlinkSync('../../data/w.db', link);
  const docs = path.join(folder, 'docs');
  const database = await using(link, async (engine) => {
    await engine.indexFolder(docs);
    return (await engine.status()).database;
  });
  expect(database).toBe(file);
  rmSync(path.join(docs, 'a.md'));
  const next = await using(file, (engine) => engine.indexFolder(docs));
  expect(next).toMatchObject({ added: 0, moved: 0, removed: 1, unchanged: 1 });
  const found = await using(link, (engine) => engine.search('apples pears'), { create: false });
  expect(found.map(({ file: { key } }) => key)).toEqual(['b.md']);
  expect(readdirSync(path.dirname(link)).sort()).toEqual(['w.db', 'x']);
});

it('a database in a folder that is a link is the same by both paths, from the first run on', async () => {
  const folder = folderOf({ 'docs/a.md': 'apples', 'data/deep/x': '' });
  symlinkSync('data/deep', path.join(folder, 'link'));
  const docs = path.join(folder, 'docs');
  await using(path.join(folder, 'link/new/w.db'), (engine) => engine.indexFolder(docs));
  const next = await using(path.join(folder, 'data/deep/new/w.db'), (engine) => engine.indexFolder(docs));
  expect(next).toMatchObject({ added: 0, moved: 0, unchanged: 1 });
});

it('links that go in a circle are DATABASE_UNWRITABLE', async () => {
  const folder = folderOf();
  const file = path.join(folder, 'w.db');
  symlinkSync('w.db', file);
  await expect(openEngine({ database: file, model: createHashEmbedder() })).rejects.toMatchObject({
    code: 'DATABASE_UNWRITABLE',
    message: expect.stringMatching(/w\.db cannot be opened or written \(ELOOP: .*: check its folder/),
  });
});

it('a database with hard links is refused, and opens once it has one name', async () => {
  const folder = folderOf({ 'other/x': '' });
  const [file, second] = [path.join(folder, 'w.db'), path.join(folder, 'other/w.db')];
  await using(file, (engine) => engine.indexFile('a.md', 'apples'));
  linkSync(file, second);
  const message =
    `${second} is one of 2 hard links to a database, and SQLite keeps a log beside each of them, so changes would be ` +
    'lost: make a copy in its place, or keep one of them and make the others symbolic links.';
  const refused = { code: 'DATABASE_UNWRITABLE', message };
  await expect(openEngine({ database: second, model: createHashEmbedder() })).rejects.toMatchObject(refused);
  await expect(examine({ database: second })).rejects.toMatchObject(refused);
  rmSync(second);
  symlinkSync(file, second);
  expect(await using(second, (engine) => engine.search('apples'))).toHaveLength(1);
});

it('a database in the folder that it indexes is never read as a text, whatever its name', async () => {
  const folder = folderOf({ 'a.md': 'apples' });
  const database = path.join(folder, 'keys.md');
  await using(database, async (engine) => {
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [] });
    await engine.indexFile('b.txt', 'pears');
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 0, removed: 0, unchanged: 1, failed: [] });
  });
});
