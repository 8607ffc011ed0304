import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const PARAGRAPHS = Array.from({ length: 10 }, (_, i) => `Paragraph ${i} has seven words in it.`);
const TEXT = `# Guide\n\n${PARAGRAPHS.join('\n\n')}\n`;

test('passageTokens limits passages, and files cut with another limit are cut again', async () => {
  const folder = folderOf({ 'a.md': TEXT });
  const database = `${folderOf()}/waymark.db`;
  const counts = async (passageTokens: number | undefined) => {
    const engine = await engineOf({ database, passageTokens });
    const { updated, unchanged } = await engine.indexFolder(folder);
    const { passages } = await engine.status();
    await engine.close();
    return { passages, updated, unchanged };
  };
  expect(await counts(undefined)).toEqual({ passages: 1, updated: 0, unchanged: 0 });
  expect(await counts(16)).toEqual({ passages: 5, updated: 1, unchanged: 0 });
  expect(await counts(16)).toEqual({ passages: 5, updated: 0, unchanged: 1 });
});

test('passageTokens out of range is INVALID_ARGUMENT', async () => {
  const cases: [passageTokens: number, range: string][] = [
    [15, 'an integer of at least 16'],
    [100.5, 'an integer of at least 16'],
    [513, 'an integer from 16 to 512'],
  ];
  for (const [passageTokens, range] of cases) {
    await expect(engineOf({ passageTokens })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `passageTokens must be ${range}; it is ${passageTokens}.`,
    });
  }
  const model = createHashEmbedder({ maxTokens: 100 });
  const engine = await engineOf({ model });
  await engine.indexFile('a.md', TEXT);
  expect((await engine.status()).passages).toBe(1);
});

test('without embedBreadcrumb headings are found by their words, not by their meaning', async () => {
  const scores = async (embedBreadcrumb: boolean) => {
    const engine = await engineOf({ embedBreadcrumb, passageTokens: 60 });
    await engine.indexFile('a.md', '# Apples\n\nred');
    const of = async (mode: 'dense' | 'lexical') =>
      (await engine.search('apples', { mode, explain: true }))[0]?.explanation;
    return [(await of('dense'))?.dense?.cosine, (await of('lexical'))?.lexical?.terms];
  };
  expect(await scores(true)).toEqual([expect.closeTo(Math.SQRT1_2, 5), ['apples']]);
  expect(await scores(false)).toEqual([0, ['apples']]);
});

test('pathOfFile returns the absolute path of a file', async () => {
  const root = folderOf({ 'docs/a.md': 'apples' });
  const engine = await openEngine({ database: `${root}/waymark.db`, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  await engine.indexFolder(`${root}/docs`);
  await engine.indexFile('b.md', 'berries');
  const paths = ['a.md', 'b.md', 'c.md'].map((key) => engine.pathOfFile(key));
  expect(await Promise.all(paths)).toEqual([`${root}/docs/a.md`, null, undefined]);
});

test('readFile returns a file with its text as it is indexed, and keys returns the keys of all files', async () => {
  const root = folderOf({ 'docs/a.md': '# Apples\r\n\r\nred\r\n' });
  const engine = await openEngine({ database: `${root}/waymark.db`, model: createHashEmbedder() });
  onTestFinished(() => engine.close());
  await engine.indexFolder(`${root}/docs`);
  await engine.indexFile('b.md', 'berries');
  const id = expect.stringMatching(/^file_/);
  expect(await engine.readFile('a.md')).toEqual({ id, key: 'a.md', folder: 'docs', text: '# Apples\r\n\r\nred\r\n' });
  expect(await engine.readFile('b.md')).toEqual({ id, key: 'b.md', folder: null, text: 'berries' });
  expect(await engine.readFile('c.md')).toBeUndefined();
  await expect(engine.readFile('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await engine.keys()).toEqual(['a.md', 'b.md']);
});

test('hasFile returns whether a key is indexed', async () => {
  const engine = await engineOf();
  await engine.indexFile('docs/a.md', 'apples');
  expect(await engine.hasFile('docs/a.md')).toBe(true);
  expect(await engine.hasFile('docs/b.md')).toBe(false);
  await expect(engine.hasFile('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test.each([`'{"folder":"w'`, `'[]'`, `'{"folder":5}'`, `'5'`])(
  'a database that records %s as the place of its model opens with the model that is given',
  async (source) => {
    const database = path.join(folderOf(), 'waymark.db');
    const engine = await engineOf({ database });
    await engine.indexFile('yak.md', 'A yak.');
    await engine.close();
    const damaged = new Sqlite(database);
    damaged.exec(`UPDATE models SET source = ${source}`);
    damaged.close();
    const reopened = await engineOf({ database });
    expect(await reopened.search('yak')).toMatchObject([{ file: { key: 'yak.md' } }]);
  },
);
