import { mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, type IndexFolderResult } from 'waymark';
import { indexFolder, indexPaths } from '#src/indexing/index-folder.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { storeOf } from '../support/store.js';

const NOTHING = { added: 0, updated: 0, moved: 0, removed: 0, unchanged: 0, failed: [], warnings: [] };

/** A folder that is indexed, and its bot. */
async function indexed(contents: Readonly<Record<string, string>>) {
  const folder = folderOf(contents);
  const embedder = createHashEmbedder();
  const { store } = await storeOf({ dimensions: embedder.card.dimensions });
  const cutting = { budget: 64, embedBreadcrumb: true };
  const parser = new ParsePool(
    { counter: embedder.counter, cutting, maxTokens: 512, passagePrefix: '' },
    { processes: 1 },
  );
  onTestFinished(() => parser.close());
  const indexing = { store, embedder, parser, cutting, base: folder, signal: undefined };
  await indexFolder(folder, indexing);
  return {
    folder,
    update: (keys: readonly string[], ignore?: readonly string[]): Promise<IndexFolderResult> =>
      indexPaths(folder, keys, { ...indexing, ignore }),
    keys: async () => (await store.files()).map(({ key }) => key),
  };
}

describe('indexPaths', () => {
  it('adds, updates and removes the files of the given keys, and leaves others alone', async () => {
    const { folder, update, keys } = await indexed({ 'a.md': 'yak', 'sub/b.md': 'wolf', 'sub/c.md': 'viper' });
    writeFiles(folder, { 'a.md': 'zebra', 'sub/new.md': 'tapir', 'sub/other.md': 'stork' });
    unlinkSync(path.join(folder, 'sub/b.md'));
    unlinkSync(path.join(folder, 'sub/c.md'));
    expect(await update(['a.md', 'sub/new.md', 'sub/b.md'])).toEqual({ ...NOTHING, added: 1, updated: 1, removed: 1 });
    expect(await keys()).toEqual(['a.md', 'sub/c.md', 'sub/new.md']);
  });

  it('takes a file as moved if both of its keys are given', async () => {
    const { folder, update, keys } = await indexed({ 'a.md': 'yak' });
    mkdirSync(path.join(folder, 'sub'));
    renameSync(path.join(folder, 'a.md'), path.join(folder, 'sub/b.md'));
    expect(await update(['a.md', 'sub/b.md'])).toEqual({ ...NOTHING, moved: 1 });
    expect(await keys()).toEqual(['sub/b.md']);
  });

  it('removes the files of a folder that is gone', async () => {
    const { folder, update, keys } = await indexed({ 'a.md': 'yak', 'sub/deep/b.md': 'wolf' });
    rmSync(path.join(folder, 'sub'), { recursive: true });
    expect(await update(['sub/deep/b.md'])).toEqual({ ...NOTHING, removed: 1 });
    expect(await keys()).toEqual(['a.md']);
  });

  it.each([
    ['hidden', '.hidden/a.md'],
    ['in node_modules', 'node_modules/a.md'],
    ['excluded by .gitignore', 'build/a.md'],
    ['excluded by a pattern', 'draft.md'],
    ['of no known format', 'notes.bin'],
    ['outside the folder', '../a.md'],
    ['nowhere', 'gone.md'],
  ])('does nothing for a key that is %s', async (_, key) => {
    const { folder, update, keys } = await indexed({ '.gitignore': 'build/' });
    writeFiles(folder, key.startsWith('..') || key === 'gone.md' ? {} : { [key]: 'yak' });
    expect(await update([key], ['draft.md'])).toEqual(NOTHING);
    expect(await keys()).toEqual([]);
  });

  it('leaves everything as it is if no keys are given', async () => {
    const { update, keys } = await indexed({ 'a.md': 'yak' });
    expect(await update([])).toEqual(NOTHING);
    expect(await keys()).toEqual(['a.md']);
  });
});
