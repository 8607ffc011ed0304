import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const FILES = { 'docs/yaks.md': '# Yaks\n\nYaks graze.\n', 'docs/owls.md': '# Owls\n\nOwls hunt.\n' };
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

test('--refresh brings all folders up to date first', async () => {
  const cwd = folderOf(FILES);
  await waymarkEach([['index', 'docs']], { cwd });
  writeFileSync(path.join(cwd, 'docs/yaks.md'), '# Yaks\n\nYaks sleep.\n');
  const [search, again] = await waymarkEach([[...SEARCH, '--refresh'], SEARCH], { cwd });
  expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining('Yaks sleep.') });
  expect(again).toMatchObject({ code: 0, stderr: '' });
});
