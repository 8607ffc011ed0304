import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MAIN, node, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const FILES = { 'docs/yaks.md': '# Yaks\n\nYaks graze.\n', 'docs/owls.md': '# Owls\n\nOwls hunt.\n' };
/** Root reads everything. */
const NOBODY = 65_534;

const SEARCH = ['search', 'yaks', '--mode', 'lexical'];

test('a search marks results of files that have changed, and says how many have', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach([['index', 'docs']], { cwd });
  writeFileSync(path.join(cwd, 'docs/yaks.md'), '# Yaks\n\nYaks sleep.\n');
  writeFileSync(path.join(cwd, 'docs/bats.md'), 'Bats.');
  rmSync(path.join(cwd, 'docs/owls.md'));
  const [text, json] = await waymarkEach([SEARCH, [...SEARCH, '--format', 'json']], { cwd });
  const note =
    'Files since the last index: 1 new, 1 changed, 1 deleted. Update with: waymark index, or search with --refresh\n';
  expect(text).toMatchObject({ code: 0, stderr: note });
  expect(text?.stdout).toMatch(/^docs\/yaks\.md:1-3 {2}\d\.\d\d {2}changed since\n[\s\S]*graze/);
  expect(JSON.parse(json?.stdout ?? '').passages).toMatchObject([{ stale: true }]);
});

test('a search names indexed folders that are gone, in one sentence', async () => {
  const cwd = folderOf({ ...FILES, 'more/bats.md': '# Bats\n' });
  await waymarkEach(
    [
      ['index', 'docs'],
      ['index', 'more'],
    ],
    { cwd },
  );
  rmSync(path.join(cwd, 'docs'), { recursive: true });
  const [one] = await waymarkEach([SEARCH], { cwd });
  const restore = 'restore it, or forget its files with: waymark drop docs';
  expect(one).toMatchObject({ code: 0, stderr: `The indexed folder docs is gone: ${restore}\n` });
  rmSync(path.join(cwd, 'more'), { recursive: true });
  const [both] = await waymarkEach([SEARCH], { cwd });
  const each = 'restore them, or forget each with: waymark drop <folder>';
  expect(both).toMatchObject({ code: 0, stderr: `The indexed folders docs, more are gone: ${each}\n` });
});

test('advised commands name the bot and the database that the command was given', async () => {
  const cwd = folderOf(FILES);
  mkdirSync(path.join(cwd, 'kept'));
  const options = ['--bot', 'notes', '--database', 'kept/notes.db'];
  const named = options.join(' ');
  const index = ['index', 'docs', '--ignore', 'owls.md', ...options];
  const create = ['bot', 'create', 'notes', '--database', 'kept/notes.db'];
  const [, missing, , indexed] = await waymarkEach(
    [['index', 'docs', '--database', 'kept/notes.db'], index, create, index],
    { cwd },
  );
  expect(missing?.stderr).toContain('create it with: waymark bot create notes --database kept/notes.db\n');
  expect(indexed?.stderr).toContain(`To forget its patterns and tags: waymark index docs --reset ${named}\n`);
  writeFileSync(path.join(cwd, 'docs/yaks.md'), '# Yaks\n\nYaks sleep.\n');
  const [changed] = await waymarkEach([[...SEARCH, ...options]], { cwd });
  expect(changed?.stderr).toContain(`Update with: waymark index ${named}, or search with --refresh\n`);
  rmSync(path.join(cwd, 'docs'), { recursive: true });
  const [gone, updated] = await waymarkEach(
    [
      [...SEARCH, ...options],
      ['index', ...options],
    ],
    { cwd },
  );
  expect(gone?.stderr).toContain(`or forget its files with: waymark drop docs ${named}\n`);
  expect(updated?.stderr).toContain(`To forget its files: waymark drop docs ${named}\n`);
});

test.runIf(process.getuid?.() === 0)(
  'a search says how many indexed files cannot be read (requires root)',
  async () => {
    const cwd = folderOf(FILES);
    await waymarkEach([['index', 'docs']], { cwd });
    chmodSync(path.join(cwd, 'docs'), 0o700);
    for (const place of ['.', '.waymark', '.waymark/waymark.db']) chownSync(path.join(cwd, place), NOBODY, NOBODY);
    const asNobody = `data:text/javascript,process.setuid(${NOBODY})`;
    const search = await node(['--import', asNobody, MAIN, ...SEARCH], { cwd });
    expect(search).toMatchObject({ code: 0, stderr: '2 indexed files cannot be read: check the permissions.\n' });
  },
);

test('--refresh brings all folders up to date first', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach([['index', 'docs']], { cwd });
  writeFileSync(path.join(cwd, 'docs/yaks.md'), '# Yaks\n\nYaks sleep.\n');
  const [search, again] = await waymarkEach([[...SEARCH, '--refresh'], SEARCH], { cwd });
  expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining('Yaks sleep.') });
  expect(again).toMatchObject({ code: 0, stderr: '' });
});
