import { mkdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const NONE = { added: [], changed: [], removed: [], unreadable: [], gone: [] };

/** An engine with an indexed folder `docs`, named so. */
async function indexed(files: Readonly<Record<string, string>>) {
  const root = folderOf(files);
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  const docs = path.join(root, 'docs');
  await engine.addFolder(docs);
  await engine.indexFolders();
  return { engine, docs, at: (name: string) => path.join(docs, name) };
}

it('changes names files that were changed, removed and added since the folder was indexed', async () => {
  const { engine, at } = await indexed({ 'docs/a.md': 'yak', 'docs/sub/b.md': 'owl', 'docs/c.md': 'bat' });
  expect(await engine.changes()).toEqual(NONE);
  writeFileSync(at('a.md'), 'another yak');
  unlinkSync(at('sub/b.md'));
  mkdirSync(at('new'));
  writeFileSync(at('new/d.md'), 'elk');
  expect(await engine.changes()).toEqual({
    ...NONE,
    added: ['docs/new/d.md'],
    changed: ['docs/a.md'],
    removed: ['docs/sub/b.md'],
  });
  await engine.indexFolders();
  expect(await engine.changes()).toEqual(NONE);
});

it('changes names files that were added to a folder whose only indexed files are in its subfolders', async () => {
  const { engine, at } = await indexed({ 'docs/a.md': 'yak', 'docs/x/y/b.md': 'owl' });
  writeFileSync(at('x/c.md'), 'elk');
  expect(await engine.changes()).toEqual({ ...NONE, added: ['docs/x/c.md'] });
});

it('changes names a file that was added right after a run, also where folders have times of full seconds', async () => {
  const { engine, docs, at } = await indexed({ 'docs/a.md': 'yak' });
  const second = Math.floor(Date.now() / 1000) - 10;
  vi.useFakeTimers({ toFake: ['Date'], now: second * 1000 + 400 });
  onTestFinished(() => void vi.useRealTimers());
  await engine.indexFolders();
  vi.useRealTimers();
  writeFileSync(at('b.md'), 'elk');
  utimesSync(docs, second, second);
  expect(await engine.changes()).toEqual({ ...NONE, added: ['docs/b.md'] });
});

it('changes compares the bytes of files of the same size with other times, as after a clone', async () => {
  const { engine, at } = await indexed({ 'docs/a.md': 'yak', 'docs/b.md': 'owl' });
  utimesSync(at('a.md'), 1e9, 1e9);
  writeFileSync(at('b.md'), 'elk');
  utimesSync(at('b.md'), 1e9, 1e9);
  expect(await engine.changes()).toEqual({ ...NONE, changed: ['docs/b.md'] });
});

it('changes compares the texts of files that are not UTF-8', async () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const windows1252 = (text: string) => Buffer.from(text, 'latin1');
  const { engine, at } = await indexed({ 'docs/a.md': 'yak' });
  writeFileSync(at('b.txt'), utf16('owl'));
  writeFileSync(at('c.txt'), utf16('bat'));
  writeFileSync(at('d.txt'), windows1252('Größe und Länge, Höhe und Wärme. '.repeat(4)));
  await engine.indexFolders();
  expect((await engine.status()).files).toBe(4);
  writeFileSync(at('c.txt'), utf16('elk'));
  for (const name of ['b.txt', 'c.txt', 'd.txt']) utimesSync(at(name), 1e9, 1e9);
  expect(await engine.changes()).toEqual({ ...NONE, changed: ['docs/c.txt'] });
});

it('changes leaves out files that are not indexed, and texts of indexFile', async () => {
  const { engine, docs, at } = await indexed({ 'docs/a.md': 'yak' });
  await engine.indexFile('text.md', 'owl');
  await engine.addFolder(docs, { ignore: ['drafts/'] });
  mkdirSync(at('drafts'));
  for (const name of ['drafts/b.md', '.hidden.md', 'photo.jpg']) writeFileSync(at(name), 'x');
  expect(await engine.changes()).toEqual(NONE);
});

it('changes names a folder that is gone, not its files', async () => {
  const { engine, docs } = await indexed({ 'docs/a.md': 'yak', 'docs/b.md': 'owl' });
  rmSync(docs, { recursive: true });
  expect(await engine.changes()).toEqual({ ...NONE, gone: [docs] });
});

it('changes finds nothing in an index without folders', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'yak');
  expect(await engine.changes()).toEqual(NONE);
});

it('changes names a file that was added after a clock that ran ahead was corrected', async () => {
  const { engine, at } = await indexed({ 'docs/a.md': 'yak' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await engine.indexFolders();
  vi.useRealTimers();
  writeFileSync(at('b.md'), 'owl');
  expect(await engine.changes()).toEqual({ ...NONE, added: ['docs/b.md'] });
});
