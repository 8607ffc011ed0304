import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';

const NOTHING = { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 0, failed: [], warnings: [] };

/** An engine whose database is in a folder with these files. */
async function engineIn(files: Readonly<Record<string, string>>) {
  const root = folderOf(files);
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  return { root, engine, at: (name: string) => path.join(root, name) };
}

/** The keys of all files with their tags. */
async function files(engine: SearchEngine): Promise<Record<string, unknown>> {
  const { passages } = await engine.searchFiles({ query: 'yak', limit: 50 });
  const entries = passages.map(({ file: { key, tags } }) => [key, tags] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('a folder that was added under a name', () => {
  it('puts its name in front of the keys of its files, so that folders may share file names', async () => {
    const { engine, at } = await engineIn({ 'a/README.md': 'yak one', 'b/README.md': 'yak two' });
    expect(await engine.addFolder(at('a'))).toEqual({
      ...{ folder: 'a', name: 'a', path: at('a'), tags: {}, tagRules: [], ignore: [], seenAt: null, files: 0 },
    });
    await engine.addFolder(at('b'), { name: 'other docs', tags: { kind: 'b' }, ignore: ['x.md'] });
    await engine.indexFolders();
    expect(await files(engine)).toEqual({ 'a/README.md': {}, 'other docs/README.md': { kind: 'b' } });
    expect(await engine.pathOfFile('other docs/README.md')).toBe(at('b/README.md'));
    expect(await engine.listFolders()).toMatchObject([
      { name: 'a', files: 1 },
      { name: 'other docs', folder: 'b', path: at('b'), tags: { kind: 'b' }, ignore: ['x.md'], files: 1 },
    ]);
  });

  it('keeps its name, tags and patterns in later runs, until others are given', async () => {
    const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'a/y.md': 'yak' });
    await engine.addFolder(at('a'), { name: 'n', tags: { k: 'v' }, ignore: ['y.md'] });
    await engine.indexFolder(at('a'));
    await engine.addFolder(at('a'));
    expect(await engine.indexFolder(at('a'))).toEqual({ ...NOTHING, unchanged: 1 });
    expect(await files(engine)).toEqual({ 'n/x.md': { k: 'v' } });
    await engine.addFolder(at('a'), { tags: {}, ignore: [] });
    await engine.indexFolders();
    expect(await files(engine)).toEqual({ 'n/x.md': {}, 'n/y.md': {} });
  });

  it('gives the files of a path further tags, and keeps the rules in later runs until others are given', async () => {
    const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'a/in/y.md': 'yak', 'a/in/z.mdx': 'yak' });
    const tagRules = [
      { path: 'in', tags: { k: 'in', of: 'in' } },
      { path: ['*.mdx', 'none'], tags: { k: 'mdx' } },
    ];
    await engine.addFolder(at('a'), { name: 'n', tags: { k: 'all' }, tagRules });
    await engine.indexFolders();
    const tagged = { 'n/in/y.md': { k: 'in', of: 'in' }, 'n/in/z.mdx': { k: 'mdx', of: 'in' }, 'n/x.md': { k: 'all' } };
    expect(await files(engine)).toEqual(tagged);
    expect(await engine.indexFolder(at('a'))).toEqual({ ...NOTHING, unchanged: 3 });
    expect(await engine.indexFolder(at('a'), { tagRules: [] })).toEqual({ ...NOTHING, updated: 2, unchanged: 1 });
  });

  it.each([
    [[{ path: '', tags: {} }], 'tagRules[0].path must be a file, a folder or a glob, or a list of them; it is "".'],
    [[{ path: 'a', tags: { b: 1 } }], /^tagRules\[0\].tags must be an object of names to strings/],
    [[{ path: 'a' }], /^tagRules\[0\].tags must be/],
    [
      [{ path: 'a', tags: JSON.parse('{"__proto__":"b"}') }],
      'tagRules[0].tags cannot have a member "__proto__": choose another name.',
    ],
    [[{ paths: 'a' }], /^tagRules\[0\].path must be/],
    ['a', 'tagRules must be a list of objects of path and tags; it is "a".'],
  ])('refuses the rules %j', async (tagRules, message) => {
    const { engine, at } = await engineIn({ 'a/x.md': 'yak' });
    const added = engine.addFolder(at('a'), { tagRules } as never);
    await expect(added).rejects.toThrow(message);
    expect(await engine.listFolders()).toEqual([]);
  });

  it('moves its files to new keys when it is renamed', async () => {
    const { engine, at } = await engineIn({ 'a/x.md': '# Yak\n\nyak' });
    await engine.indexFolder(at('a'));
    await engine.addFolder(at('a'), { name: 'n' });
    expect(await engine.indexFolders()).toMatchObject([{ name: 'n', result: { ...NOTHING, moved: 1 } }]);
    expect(Object.keys(await files(engine))).toEqual(['n/x.md']);
  });

  it.each([
    ['without a folder', 'gone', {}, 'FOLDER_MISSING'],
    ['with the name of another', 'b', { name: 'a' }, 'FOLDER_EXISTS'],
    ['with a slash in its name', 'b', { name: 'a/b' }, 'INVALID_ARGUMENT'],
    ['with a name on disk that keys cannot begin with', '(c)', {}, 'INVALID_ARGUMENT'],
    ['with tags that are not strings', 'b', { tags: { a: 1 } }, 'INVALID_ARGUMENT'],
  ])('is refused %s, and nothing is kept', async (_, folder, options, code) => {
    const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'b/x.md': 'yak', '(c)/x.md': 'yak' });
    await engine.addFolder(at('a'));
    await expect(engine.addFolder(at(folder), options as never)).rejects.toMatchObject({ code });
    expect((await engine.listFolders()).map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a file belongs to the innermost known folder around it', () => {
  const FILES = { 'docs/a.md': 'yak a', 'docs/guides/b.md': 'yak b' };

  it('whichever of the two was indexed first', async () => {
    for (const order of [
      ['docs', 'docs/guides'],
      ['docs/guides', 'docs'],
    ]) {
      const { engine, at } = await engineIn(FILES);
      for (const folder of order) {
        await engine.addFolder(at(folder));
        await engine.indexFolder(at(folder));
      }
      await engine.indexFolders();
      expect(Object.keys(await files(engine))).toEqual(['docs/a.md', 'guides/b.md']);
    }
  });

  it('so that the outer folder takes over the files of the inner one when that is dropped', async () => {
    const { engine, at } = await engineIn(FILES);
    await engine.addFolder(at('docs'));
    await engine.addFolder(at('docs/guides'));
    await engine.indexFolders();
    expect(await engine.dropFolder('guides')).toMatchObject({ name: 'guides', files: 1 });
    expect(Object.keys(await files(engine))).toEqual(['docs/a.md']);
    await engine.indexFolders();
    expect(Object.keys(await files(engine))).toEqual(['docs/a.md', 'docs/guides/b.md']);
  });

  it('so that the inner folder keeps its files if the outer one is dropped before it is indexed', async () => {
    const { engine, at } = await engineIn(FILES);
    await engine.indexFolder(at('docs'));
    await engine.addFolder(at('docs/guides'));
    await engine.dropFolder(at('docs'));
    expect(Object.keys(await files(engine))).toEqual(['guides/b.md']);
    writeFileSync(at('docs/guides/b.md'), 'a new yak');
    expect(await engine.indexFolders()).toMatchObject([{ result: { ...NOTHING, updated: 1 } }]);
  });

  it('and goes with the outer one if the inner one is gone', async () => {
    const { engine, at } = await engineIn(FILES);
    await engine.indexFolder(at('docs'));
    await engine.addFolder(at('docs/guides'));
    rmSync(at('docs/guides'), { recursive: true });
    await engine.dropFolder(at('docs'));
    expect(await files(engine)).toEqual({});
  });

  it('and is counted there', async () => {
    const { engine, at } = await engineIn(FILES);
    await engine.indexFolder(at('docs'));
    await engine.addFolder(at('docs/guides'));
    expect(await engine.listFolders()).toMatchObject([
      { name: '', files: 1 },
      { name: 'guides', files: 1 },
    ]);
  });
});

describe('indexFolders', () => {
  it('updates every folder, and reports one that is gone, whose files stay', async () => {
    const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'b/y.md': 'yak' });
    await engine.indexFolder(at('a'), { tags: { k: 'v' } });
    await engine.indexFolder(at('b'));
    writeFileSync(at('b/z.md'), 'yak');
    rmSync(at('a'), { recursive: true });
    expect(await engine.indexFolders()).toEqual([
      {
        name: '',
        folder: 'a',
        path: at('a'),
        problem: `No folder at ${at('a')}: give the path of a folder of documents.`,
      },
      { name: '', folder: 'b', path: at('b'), result: { ...NOTHING, added: 1, unchanged: 1 } },
    ]);
    expect(await files(engine)).toEqual({ 'x.md': { k: 'v' }, 'y.md': {}, 'z.md': {} });
    await engine.dropFolder(at('a'));
    expect(await files(engine)).toEqual({ 'y.md': {}, 'z.md': {} });
    await expect(engine.dropFolder(at('a'))).rejects.toMatchObject({ code: 'FOLDER_MISSING' });
  });

  it('knows no folders in a new database', async () => {
    const { engine } = await engineIn({});
    expect(await engine.indexFolders()).toEqual([]);
    expect(await engine.listFolders()).toEqual([]);
  });

  it('still knows the folders after the database has moved with them', async () => {
    const { root, at } = await engineIn({ 'p/docs/x.md': 'yak' });
    const first = await engineOf({ database: at('p/waymark.db') });
    await first.addFolder(at('p/docs'), { name: 'n' });
    await first.indexFolders();
    await first.close();
    renameSync(at('p'), at('q'));
    const second = await engineOf({ database: path.join(root, 'q/waymark.db') });
    expect(await second.indexFolders()).toMatchObject([{ path: at('q/docs'), result: { unchanged: 1 } }]);
  });
});

it('a folder that has moved and left a link in its place stays the same folder, by either path', async () => {
  const { engine, at } = await engineIn({ 'docs/x.md': 'yak', 'docs/in/y.md': 'yak' });
  await engine.indexFolder(at('docs'), { tags: { k: 'v' } });
  await engine.addFolder(at('docs/in'));
  await engine.indexFolders();
  renameSync(at('docs'), at('moved'));
  symlinkSync('moved', at('docs'));
  for (const place of ['docs', 'moved']) {
    expect([place, await engine.indexFolder(at(place))]).toEqual([place, { ...NOTHING, unchanged: 1 }]);
  }
  expect(await engine.listFolders()).toMatchObject([
    { folder: 'docs', path: at('moved'), tags: { k: 'v' }, files: 1 },
    { folder: 'docs/in', path: at('moved/in'), name: 'in', files: 1 },
  ]);
  writeFileSync(at('moved/z.md'), 'yak');
  expect(await engine.changes()).toMatchObject({ added: ['z.md'], changed: [], removed: [] });
  expect(await engine.dropFolder(at('moved'))).toMatchObject({ folder: 'docs', files: 1 });
});

it('a folder in which every key belongs to another folder is not added', async () => {
  const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'b/x.md': 'wolf' });
  await engine.indexFolder(at('a'));
  symlinkSync('b', at('link'));
  const owner = path.join(at('a'), 'x.md');
  const reason = `its key belongs to ${owner}: remove that file first, or add this folder under a name`;
  expect(await engine.indexFolder(at('link'))).toEqual({ ...NOTHING, failed: [{ key: 'x.md', reason }] });
  expect(await engine.listFolders()).toMatchObject([{ folder: 'a' }]);
});

it('a file whose key in its new folder is taken keeps its key in the folder around it', async () => {
  const { engine, at } = await engineIn({ 'docs/x.md': 'yak one', 'docs/in/x.md': 'yak two', 'docs/in/y.md': 'yak' });
  await engine.indexFolder(at('docs'));
  const { added, moved, removed, failed } = await engine.indexFolder(at('docs/in'));
  expect([added + moved, removed, failed.map(({ key }) => key)]).toEqual([1, 0, ['x.md']]);
  expect(await files(engine)).toEqual({ 'x.md': {}, 'in/x.md': {}, 'y.md': {} });
  rmSync(at('docs/in/x.md'));
  expect(await engine.indexFolders()).toMatchObject([{ result: { removed: 0 } }, { result: { removed: 1 } }]);
  expect(await files(engine)).toEqual({ 'x.md': {}, 'y.md': {} });
});

it('folders of different bots are independent', async () => {
  const { root, engine, at } = await engineIn({ 'a/x.md': 'yak' });
  await engine.addFolder(at('a'));
  await engine.createBot({ name: 'other' });
  const other = await engineOf({ database: path.join(root, 'waymark.db'), bot: 'other' });
  expect(await other.listFolders()).toEqual([]);
  await other.addFolder(at('a'), { name: 'own' });
  expect((await engine.listFolders()).map(({ name }) => name)).toEqual(['a']);
});

it('the folders of a database of the last release are known, without names', async () => {
  const { engine, at } = await engineIn({});
  mkdirSync(at('a'));
  writeFiles(at('a'), { 'x.md': 'yak' });
  await engine.indexFolder(at('a'), { tags: { k: 'v' } });
  expect(await engine.listFolders()).toMatchObject([{ folder: 'a', name: '', files: 1 }]);
});

it('calls for folders take effect in the order in which they were made, without being awaited', async () => {
  const { engine, at } = await engineIn({ 'a/x.md': 'yak', 'b/y.md': 'yak' });
  await Promise.all([engine.addFolder(at('a'), { name: 'n' }), engine.indexFolder(at('a'))]);
  expect(await files(engine)).toEqual({ 'n/x.md': {} });
  await Promise.all([engine.addFolder(at('b')), engine.indexFolders(), engine.dropFolder('b')]);
  expect([await files(engine), await engine.listFolders()]).toMatchObject([{ 'n/x.md': {} }, [{ name: 'n' }]]);
});

it('a folder is added once the run over it has ended', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const root = folderOf({ 'docs/a.md': 'yak one' });
  const engine = await engineOf({ database: path.join(root, 'waymark.db'), model: embedder });
  const ended: string[] = [];
  const indexed = engine.indexFolder(path.join(root, 'docs')).then(() => ended.push('indexed'));
  await asked;
  const added = engine.addFolder(path.join(root, 'docs'), { name: 'named' }).then(() => ended.push('added'));
  expect(await engine.listFolders()).toMatchObject([{ name: '' }]);
  letGo();
  await Promise.all([indexed, added]);
  expect(ended).toEqual(['indexed', 'added']);
  expect(await engine.listFolders()).toMatchObject([{ name: 'named', files: 1 }]);
});
