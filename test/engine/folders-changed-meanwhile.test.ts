import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { IndexFolderResult, SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** Runs statements in another process; `root` is the folder of the database, and `engine` is open. */
function elsewhere(root: string, statements: string): void {
  const program = `
    import { createHashEmbedder, openEngine } from 'waymark';
    const root = process.argv[1];
    const engine = await openEngine({ database: root + '/waymark.db', model: createHashEmbedder() });
    ${statements}
    await engine.close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, root]);
}

/** Calls `work` once, when a run reports its first progress. */
function onFirstProgress(work: () => void): { onProgress: () => void } {
  let isDone = false;
  return {
    onProgress() {
      if (isDone) return;
      isDone = true;
      work();
    },
  };
}

/** An engine that has indexed docs/ while another process ran statements, and the result. */
async function indexedWhile(
  root: string,
  change: string,
): Promise<{ engine: SearchEngine; result: IndexFolderResult }> {
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  const result = await engine.indexFolder(
    path.join(root, 'docs'),
    onFirstProgress(() => elsewhere(root, change)),
  );
  return { engine, result };
}

async function tagsByKey(engine: SearchEngine): Promise<Record<string, unknown>> {
  const { passages } = await engine.searchFiles({ query: 'yak', limit: 50 });
  return Object.fromEntries(passages.map(({ file }) => [file.key, file.tags]));
}

it('a folder that another process drops while it is indexed leaves no files', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.md': 'yak', 'notes/c.md': 'yak' });
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  await engine.addFolder(path.join(root, 'notes'));
  await engine.addFolder(path.join(root, 'docs'));
  await engine.indexFolders(onFirstProgress(() => elsewhere(root, `await engine.dropFolder('docs');`)));
  expect(await engine.keys()).toEqual(['notes/c.md']);
  expect((await engine.listFolders()).map(({ name }) => name)).toEqual(['notes']);
});

it('a run keeps the tags and patterns that another process gives its folder meanwhile', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.md': 'yak', 'docs/c.md': 'yak' });
  const change = `await engine.indexFolder(root + '/docs', { tags: { kind: 'guide' }, ignore: ['b.md'] });`;
  const { engine, result } = await indexedWhile(root, change);
  expect(await tagsByKey(engine)).toEqual({ 'a.md': { kind: 'guide' }, 'c.md': { kind: 'guide' } });
  expect(result.failed).toEqual([]);
});

it('a run leaves no files under the keys that its folder had before another process named it', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.md': 'yak' });
  const change = `await engine.addFolder(root + '/docs', { name: 'guides' }); await engine.indexFolders();`;
  const { engine } = await indexedWhile(root, change);
  expect(await engine.keys()).toEqual(['guides/a.md', 'guides/b.md']);
});

it('a run leaves no files of a folder within that another process adds meanwhile', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/sub/b.md': 'yak' });
  const change = `await engine.addFolder(root + '/docs/sub', { name: 'inner' }); await engine.indexFolders();`;
  const { engine } = await indexedWhile(root, change);
  expect(await engine.keys()).toEqual(['a.md', 'inner/b.md']);
  expect((await engine.listFolders()).map(({ name, files }) => [name, files])).toEqual([
    ['', 1],
    ['inner', 1],
  ]);
});

it('the result counts a file once, with its warnings, if the run over it is repeated', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/b.jsonl': '{"a": "yak"}\n{"a": \n' });
  const change = `await engine.addFolder(root + '/docs', { ignore: ['none.md'] });`;
  const { result } = await indexedWhile(root, change);
  expect(result).toMatchObject({ added: 2, updated: 0, unchanged: 0, failed: [], warnings: [{ key: 'b.jsonl' }] });
});

it('a run succeeds if a folder within, which another process has added meanwhile, has become a file', async () => {
  const root = folderOf({ 'docs/a.md': 'yak', 'docs/sub/b.md': 'yak' });
  const change = `await engine.addFolder(root + '/docs/sub', { name: 'inner' });
    const { rmSync, writeFileSync } = await import('node:fs');
    rmSync(root + '/docs/sub', { recursive: true });
    writeFileSync(root + '/docs/sub', '');`;
  const { engine, result } = await indexedWhile(root, change);
  expect([result.failed, await engine.keys('a.md')]).toEqual([[], ['a.md']]);
});
