import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { interrupted, waymark, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { seenAsNow } from '../support/seen-as-now.js';
import { DOCS, databasePath } from './documentation.js';

test('index prints the outcome on stdout and progress on stderr', async () => {
  const cwd = folderOf(DOCS);
  expect(await waymark(['index', 'docs'], { cwd })).toEqual({
    code: 0,
    stdout: 'Files: 2 added.\n',
    stderr: 'Reading 2 files\nEmbedding 3 passages\n',
  });
  writeFileSync(path.join(cwd, 'docs', 'new.md'), 'New.\n');
  writeFileSync(path.join(cwd, 'docs', 'backup.md'), '# Backups\n\nA copy is made every night.\n');
  rmSync(path.join(cwd, 'docs', 'my notes', 'users.md'));
  const second = await waymark(['index', 'docs', '--json'], { cwd });
  expect({ ...second, stdout: JSON.parse(second.stdout) }).toEqual({
    code: 0,
    stdout: { added: 1, updated: 1, moved: 0, removed: 1, unchanged: 0, failed: [], warnings: [] },
    stderr: 'Reading 2 files\nEmbedding 1 passage\n',
  });
});

test('a folder without files to index is named: exit code 1', async () => {
  const cwd = folderOf({ 'docs/a.bin': 'apples' });
  expect(await waymark(['index', 'docs'], { cwd })).toEqual({
    code: 1,
    stdout:
      'No files to index in docs (.md, .markdown, .qmd, .rmd, .mdx, .txt, .text, .log, .html, .htm, .xhtml, .csv, .tsv, .tab, .jsonl, .ndjson, .ipynb, .pdf, .docx).\n',
    stderr: '',
  });
});

test('a file that fails is reported by name, and the others are indexed: exit code 4', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples', 'docs/b.md': new Uint8Array([0xff, 0xfe, 0x41]) });
  const { code, stdout, stderr } = await waymark(['index', 'docs'], { cwd });
  expect({ code, stdout }).toEqual({ code: 4, stdout: 'Files: 1 added, 1 failed.\n' });
  expect(stderr).toContain('b.md was not indexed: it is damaged UTF-16: save it as UTF-8\n');
});

test('--ignore and --tag are repeatable, also before the folder', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples', 'docs/b.md': 'pears', 'docs/drafts/c.md': 'plums' });
  const args = ['index', '--ignore', 'drafts/', '--ignore', 'b.*', '--tag', 'x=1', '--tag', 'y=a=b', 'docs'];
  expect(await waymark(args, { cwd })).toMatchObject({ code: 0, stdout: 'Files: 1 added.\n' });
  const engine = await openEngine({ database: databasePath(cwd) });
  expect(await engine.search('apples')).toMatchObject([{ file: { key: 'a.md', tags: { x: '1', y: 'a=b' } } }]);
  await engine.close();
});

test('--verify reads files that seem not to have changed', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  await waymark(['index', 'docs'], { cwd });
  writeFileSync(path.join(cwd, 'docs/a.md'), 'pears!');
  seenAsNow(databasePath(cwd), path.join(cwd, 'docs/a.md'));
  const outcomes = await waymarkEach(
    [
      ['index', 'docs'],
      ['index', 'docs', '--verify'],
    ],
    { cwd },
  );
  expect(outcomes.map(({ stdout }) => stdout)).toEqual(['Files: 1 unchanged.\n', 'Files: 1 updated.\n']);
});

test('the nearest index of an ancestor folder is used; without one, it is created here', async () => {
  const cwd = folderOf(DOCS);
  mkdirSync(path.join(cwd, 'deep', 'er'), { recursive: true });
  const below = path.join(cwd, 'deep', 'er');
  const [made, found] = [
    await waymark(['index', 'docs'], { cwd }),
    await waymark(['index', '../../docs'], { cwd: below }),
  ];
  expect([made.stdout, found.stdout]).toEqual(['Files: 2 added.\n', 'Files: 2 unchanged.\n']);
  const search = await waymark(['search', 'colleague', '--limit', '1'], { cwd: below });
  expect(search.stdout).toMatch(/^\.\.\/\.\.\/docs\/my notes\/users\.md:7 /);
});

test('--database selects the index, and --bot the files', async () => {
  const cwd = folderOf(DOCS);
  const database = ['--database', 'some where/my.db'];
  const outcomes = await waymarkEach(
    [
      ['bot', 'create', 'support', ...database],
      ['index', 'docs', ...database, '--bot', 'support'],
      ['search', 'copy', ...database],
      ['bot', 'list', ...database],
    ],
    { cwd },
  );
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 3, 0]);
  expect(outcomes[0]?.stdout).toMatch(/^Created bot support \([0-9a-f-]{36}\)\.\n$/);
  expect(outcomes[2]).toMatchObject({
    stdout: '',
    stderr: `Bot "default" has no files. Index some with: waymark index <folder> --database 'some where/my.db'\n`,
  });
  expect(outcomes[3]?.stdout).toMatch(
    /^support {2}[0-9a-f-]{36} {2}default {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC\ndefault {2}[0-9a-f-]{36} {2}default {2}not indexed yet\n$/,
  );
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops with a message, and the next run completes', async (by) => {
  const section = (i: number) => `## Section ${i}\n\nSome words about the matter of number ${i}.`;
  const text = Array.from({ length: 40 }, (_, i) => section(i)).join('\n\n');
  const cwd = folderOf({ 'docs/a.md': text });
  expect(await interrupted(['index', 'docs'], { cwd, at: 'Embedding', by })).toEqual({
    code: 4,
    stdout: '',
    stderr: 'Reading 1 file\nEmbedding 40 passages\nStopped. The next run continues from here.\n',
  });
  const search = await waymark(['search', 'number 7', '--limit', '1'], { cwd });
  expect(search.stderr).toMatch(/^Only \d+% of the passages are embedded\. Finish with: waymark index\n/);
  expect(await waymark(['index', 'docs'], { cwd })).toMatchObject({ code: 0, stdout: 'Files: 1 unchanged.\n' });
  const status = JSON.parse((await waymark(['status', '--json'], { cwd })).stdout);
  expect(status).toMatchObject({ passages: 40, embedded: 40 });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends watch without waiting for a run', async (by) => {
  const text = Array.from({ length: 40 }, (_, i) => `## Section ${i}\n\nSome words about number ${i}.`).join('\n\n');
  const configuration = '{ "folders": { "docs": { "path": "docs" } } }';
  const cwd = folderOf({ 'docs/a.md': text, '.waymark/config.json': configuration });
  expect(await interrupted(['watch'], { cwd, at: 'Watching', by })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Watching. Press Ctrl-C to stop.\n',
  });
  const status = JSON.parse((await waymark(['status', '--json'], { cwd })).stdout);
  expect(status.bot.deployedAt).toBeUndefined();
});
