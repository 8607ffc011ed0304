import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { CheckedEmbedder } from '#src/embed/checked-embedder.js';
import { type IndexFolderResult, indexFolder } from '#src/indexing/index-folder.js';
import type { Parser } from '#src/indexing/indexing.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import { fileToPut } from '../../support/file-to-put.js';
import { folderOf, writeFiles } from '../../support/folder.js';
import { MemoryStore } from '../../support/memory-store.js';

/** Indexes a folder; `meanwhile` is called after the bytes of each file were read, and before it is stored. */
function indexWhile(
  root: string,
  { store, meanwhile }: { readonly store: PassageStore; readonly meanwhile: (text: string) => void },
): Promise<IndexFolderResult> {
  const parser: Parser = {
    size: 1,
    async parse(text) {
      meanwhile(text);
      const { passages } = fileToPut('', [text]);
      return { title: undefined, metadata: {}, tags: {}, warnings: [], passages };
    },
    extract: () => Promise.reject(new Error('not used')),
    measure: () => Promise.reject(new Error('not used')),
  };
  return indexFolder(path.join(root, 'docs'), {
    store,
    parser,
    embedder: new CheckedEmbedder(createHashEmbedder()),
    cutting: { budget: 64, embedBreadcrumb: true },
    base: root,
    signal: undefined,
  });
}

async function keysIn(store: PassageStore): Promise<string[]> {
  return (await store.files()).map(({ key }) => key).sort();
}

describe('a new file that is no longer there once it is stored is removed:', () => {
  it.each<[what: string, change: (docs: string) => void]>([
    ['it was deleted', (docs) => rmSync(path.join(docs, 'sub/b.md'))],
    ['the folder around it was deleted', (docs) => rmSync(path.join(docs, 'sub'), { recursive: true })],
    [
      'a file has replaced the folder around it',
      (docs) => {
        rmSync(path.join(docs, 'sub'), { recursive: true });
        writeFileSync(path.join(docs, 'sub'), 'a file');
      },
    ],
    [
      'a link has replaced it',
      (docs) => {
        rmSync(path.join(docs, 'sub/b.md'));
        symlinkSync('../a.md', path.join(docs, 'sub/b.md'));
      },
    ],
    [
      'a folder has replaced it',
      (docs) => {
        rmSync(path.join(docs, 'sub/b.md'));
        mkdirSync(path.join(docs, 'sub/b.md'));
      },
    ],
  ])('%s', async (_what, change) => {
    const root = folderOf({ 'docs/a.md': 'yak', 'docs/sub/b.md': 'owl' });
    const store = new MemoryStore({ dimensions: 64 });
    const meanwhile = (text: string) => text === 'owl' && change(path.join(root, 'docs'));
    expect(await indexWhile(root, { store, meanwhile })).toMatchObject({ added: 2, removed: 1, failed: [] });
    expect(await keysIn(store)).toEqual(['a.md']);
  });
});

it('a new file that another one replaces while it is read stays until the next run', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.tmp': 'owl' });
  const store = new MemoryStore({ dimensions: 64 });
  const meanwhile = () => renameSync(path.join(root, 'docs/b.tmp'), path.join(root, 'docs/a.md'));
  expect(await indexWhile(root, { store, meanwhile })).toMatchObject({ added: 1, removed: 0, failed: [] });
  expect(await keysIn(store)).toEqual(['a.md']);
});

it('a known file that is deleted while it is read keeps its new text until the next run', async () => {
  const root = folderOf({ 'docs/a.md': 'yak' });
  const store = new MemoryStore({ dimensions: 64 });
  await indexWhile(root, { store, meanwhile: () => {} });
  writeFileSync(path.join(root, 'docs/a.md'), 'a heron');
  const meanwhile = () => rmSync(path.join(root, 'docs/a.md'));
  expect(await indexWhile(root, { store, meanwhile })).toMatchObject({ updated: 1, removed: 0, failed: [] });
  expect(await indexWhile(root, { store, meanwhile })).toMatchObject({ removed: 1 });
  expect(await keysIn(store)).toEqual([]);
});

it('a file that another process adds while a run looks for files stays', async () => {
  const root = folderOf({ 'docs/a.md': 'yak' });
  const store = new MemoryStore({ dimensions: 64 });
  const added = before(store, 'files', async () => {
    writeFileSync(path.join(root, 'docs/b.md'), 'owl');
    await indexWhile(root, { store, meanwhile: () => {} });
  });
  expect(await indexWhile(root, { store: added, meanwhile: () => {} })).toMatchObject({ removed: 0, failed: [] });
  expect(await keysIn(store)).toEqual(['a.md', 'b.md']);
});

it.each<[what: string, call: 'remove' | 'touch', files: Readonly<Record<string, string>>]>([
  ['removes it', 'remove', {}],
  ['takes it as moved', 'touch', { 'docs/c.md': 'owl' }],
])('a file that comes back before a run %s is indexed again', async (_what, call, files) => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/sub/b.md': 'owl' });
  const store = new MemoryStore({ dimensions: 64 });
  await indexWhile(root, { store, meanwhile: () => {} });
  renameSync(path.join(root, 'docs/sub'), path.join(root, 'away'));
  writeFiles(root, files);
  const back = before(store, call, async () => {
    if (existsSync(path.join(root, 'away'))) renameSync(path.join(root, 'away'), path.join(root, 'docs/sub'));
  });
  expect(await indexWhile(root, { store: back, meanwhile: () => {} })).toMatchObject({ added: 1, failed: [] });
  expect(await keysIn(store)).toEqual(['a.md', ...Object.keys(files).map((name) => path.basename(name)), 'sub/b.md']);
});

it('a file that comes back in the place of a folder before a run removes it replaces the files in it', async () => {
  const root = folderOf({ 'docs/a.md': 'yak' });
  const place = path.join(root, 'docs/a.md');
  const store = new MemoryStore({ dimensions: 64 });
  await indexWhile(root, { store, meanwhile: () => {} });
  rmSync(place);
  writeFiles(root, { 'docs/a.md/b.md': 'owl' });
  const back = before(store, 'remove', async () => {
    if (!statSync(place).isDirectory()) return;
    rmSync(place, { recursive: true });
    writeFileSync(place, 'emu');
  });
  expect(await indexWhile(root, { store: back, meanwhile: () => {} })).toMatchObject({ added: 2, failed: [] });
  expect(await keysIn(store)).toEqual(['a.md']);
});

it('a run whose folder goes away after it was read ends', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.md': 'owl' });
  const store = new MemoryStore({ dimensions: 64 });
  await indexWhile(root, { store, meanwhile: () => {} });
  rmSync(path.join(root, 'docs/b.md'));
  const gone = before(store, 'remove', async () => renameSync(path.join(root, 'docs'), path.join(root, 'away')));
  expect(await indexWhile(root, { store: gone, meanwhile: () => {} })).toMatchObject({ removed: 1, failed: [] });
  expect(await keysIn(store)).toEqual(['a.md']);
});

/** A store that does something before each call of a method. */
function before(store: PassageStore, name: keyof PassageStore, work: () => Promise<void>): PassageStore {
  return new Proxy(store, {
    get(target, called) {
      const method = Reflect.get(target, called);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        if (called === name) await work();
        return method.apply(target, given);
      };
    },
  });
}
