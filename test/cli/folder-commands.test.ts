import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const FILES = { 'docs/README.md': '# Yaks\n\nYaks graze.\n', 'notes/README.md': '# Owls\n\nOwls hunt.\n' };

test('add, list, index and drop keep several folders in one database', async () => {
  const cwd = folderOf(FILES);
  const outcomes = await waymarkEach(
    [
      ['add', 'docs', '--name', 'guides', '--tag', 'audience=admin', '--ignore', 'drafts/'],
      ['add', 'notes'],
      ['list'],
      ['index'],
      ['search', 'owls', '--limit', '1', '--in', 'notes'],
      ['drop', 'notes'],
      ['list'],
    ],
    { cwd },
  );
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  const printed = outcomes.map(({ stdout }) => stdout);
  expect(printed[0]).toBe('Added docs as "guides".\nFiles: 1 added.\n');
  expect(printed[1]).toBe('Added notes as "notes".\nFiles: 1 added.\n');
  expect(printed[2]).toBe('guides  docs  1 file  audience=admin  without drafts/\nnotes   notes  1 file\n');
  expect(printed[3]).toBe('docs: 1 unchanged\nnotes: 1 unchanged\n');
  expect(printed[4]).toMatch(/^notes\/README\.md:1-3 /);
  expect(printed[5]).toBe('Dropped notes: 1 file removed from the index.\n');
  expect(printed[6]).toBe('guides  docs  1 file  audience=admin  without drafts/\n');
});

test('index keeps the tags and patterns of a folder; --reset forgets them', async () => {
  const cwd = folderOf({ 'docs/a.md': 'Yaks.', 'docs/b.md': 'Owls.' });
  const outcomes = await waymarkEach(
    [
      ['index', 'docs', '--tag', 'x=1', '--ignore', 'b.md'],
      ['index', 'docs'],
      ['index', 'docs', '--reset'],
      ['list', '--json'],
    ],
    { cwd },
  );
  expect(outcomes.map(({ stdout }) => stdout).slice(0, 3)).toEqual([
    'Files: 1 added.\n',
    'Files: 1 unchanged.\n',
    'Files: 1 added, 1 updated.\n',
  ]);
  const leftOut = 'Every run leaves out b.md in docs. To forget its patterns and tags: waymark index docs --reset\n';
  expect(outcomes.map(({ stderr }) => stderr.includes(leftOut)).slice(0, 3)).toEqual([true, true, false]);
  const kept = { folder: '../docs', name: '', tags: {}, tagRules: [], ignore: [] };
  const folder = { ...kept, path: path.join(cwd, 'docs'), seenAt: expect.any(Number), files: 2 };
  expect(JSON.parse(outcomes[3]?.stdout ?? '')).toEqual({ folders: [folder] });
});

test('a run that finds nothing says which patterns leave files out', async () => {
  const cwd = folderOf({ 'docs/a.md': 'Yaks.' });
  const [first, all] = await waymarkEach([['index', 'docs', '--ignore', '*.md', '--ignore', 'b/'], ['index']], { cwd });
  expect(first).toMatchObject({ code: 1, stdout: expect.stringMatching(/^No files to index in docs /) });
  const leftOut = 'Every run leaves out *.md b/ in docs. To forget its patterns and tags: waymark index docs --reset\n';
  expect(first?.stderr).toBe(leftOut);
  expect(all).toEqual({ code: 0, stdout: 'docs: no files\n', stderr: leftOut });
});

test('patterns of the configuration file are reported with their origin', async () => {
  const configuration = '{ "folders": { "docs": { "path": "docs", "ignore": ["b.md"] } } }';
  const cwd = folderOf({ 'docs/a.md': 'Yaks.', 'docs/b.md': 'Owls.', '.waymark/config.json': configuration });
  const [outcome] = await waymarkEach([['index', 'docs']], { cwd });
  expect(outcome?.stderr).toMatch(/\nEvery run leaves out b\.md in docs, as the configuration file says\.\n$/);
});

test('a folder that takes files from the one around it says how keys change; drop says where they go', async () => {
  const cwd = folderOf({ 'docs/a.md': 'Yaks.', 'docs/sub/b.md': 'Owls.', 'docs/more/c.md': 'Bats.' });
  const outcomes = await waymarkEach(
    [
      ['index', 'docs'],
      ['index', 'docs/sub'],
      ['index', 'docs/sub'],
      ['add', 'docs/more', '--name', 'm'],
      ['drop', 'm'],
      ['index', '.'],
    ],
    { cwd },
  );
  const notes = outcomes.map(({ stderr }) => stderr.replaceAll(/^(Reading|Embedding|\d+ of) .*\n/gm, ''));
  expect(notes).toEqual([
    '',
    'The files of docs/sub no longer belong to docs around it: their keys changed from "sub/…" to "…".\n',
    '',
    'The files of docs/more no longer belong to docs around it: their keys changed from "more/…" to "m/…".\n',
    'The next waymark index adds its files to docs, which is around it.\n',
    'Its files belong to folders within: docs.\n',
  ]);
});

test('index says which folder is missing and how to forget it, updates the others, and exits with 4', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach(
    [
      ['add', 'docs'],
      ['add', 'notes'],
    ],
    { cwd },
  );
  rmSync(path.join(cwd, 'docs'), { recursive: true });
  writeFileSync(path.join(cwd, 'notes', 'new.md'), 'Bats.');
  const [index, drop, again] = await waymarkEach([['index'], ['drop', 'docs'], ['index']], { cwd });
  expect(index).toMatchObject({ code: 4, stdout: 'notes: 1 added, 1 unchanged\n' });
  expect(index?.stderr).toContain(
    `No folder at ${path.join(cwd, 'docs')}: give the path of a folder of documents. To forget its files: waymark drop docs\n`,
  );
  expect(drop).toMatchObject({ code: 0, stdout: 'Dropped docs: 1 file removed from the index.\n' });
  expect(again).toMatchObject({ code: 0, stdout: 'notes: 2 unchanged\n' });
});

test('wrong folders are refused in one sentence with the next step', async () => {
  const cwd = folderOf(FILES);
  const [none, gone, added, taken, name, unknown, options] = await waymarkEach(
    [
      ['index'],
      ['add', 'gone'],
      ['add', 'docs'],
      ['add', 'notes', '--name', 'docs'],
      ['add', 'notes', '--name', 'a/b'],
      ['drop', 'nope'],
      ['index', '--tag', 'a=b'],
    ],
    { cwd },
  );
  expect(none?.code).toBe(3);
  expect(gone).toEqual({
    code: 2,
    stdout: '',
    stderr: `Folder ${cwd}/gone does not exist. Pass a folder of documents.\n`,
  });
  expect(added?.code).toBe(0);
  const message = 'Another folder has the name "docs" (waymark list): give this one another name.\n';
  expect(taken).toEqual({ code: 2, stdout: '', stderr: message });
  expect(name).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--name must be 1 to 100 letters.*"a\/b"\.\n$/),
  });
  expect(unknown).toEqual({
    code: 2,
    stdout: '',
    stderr: 'No indexed folder has the name or path "nope": list the folders with: waymark list\n',
  });
  expect(options).toMatchObject({ code: 2, stderr: expect.stringMatching(/need a folder/) });
});

test('remove takes the paths that searches print, and keys, also of one file', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach(
    [
      ['add', 'docs', '--name', 'guides'],
      ['add', 'notes'],
    ],
    { cwd },
  );
  const files = ['docs/README.md', 'guides/README.md', 'notes/README.md'];
  const [first, second] = await waymarkEach([['remove', ...files], ['list']], { cwd });
  expect(first).toEqual({ code: 0, stdout: 'Removed guides/README.md.\nRemoved notes/README.md.\n', stderr: '' });
  expect(second?.stdout).toBe('guides  docs  0 files\nnotes   notes  0 files\n');
});

test('git ignores the folder of a new database except for the configuration file', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach([['index', 'docs']], { cwd });
  expect(readFileSync(path.join(cwd, '.waymark', '.gitignore'), 'utf8')).toBe('*\n!config.json\n');
});
