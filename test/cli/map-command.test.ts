import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { interrupted, waymark, waymarkEach } from '../support/command.js';
import { createIndexedFolder, DOCS } from './documentation.js';

const FILES = {
  ...DOCS,
  'docs/guides/keys.md': '# Keys\n\nRotate the key every month.\n\n## Loss\n\nA lost key cannot be restored.\n',
};

/** What the page of a map reads. */
function dataIn(file: string) {
  const [, json = ''] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8')) ?? [];
  return JSON.parse(json);
}

test('map writes every passage with its folder, and the hits of queries, to one file', async () => {
  const cwd = await createIndexedFolder(FILES);
  const queries = ['--query', 'lost key', '--query', 'nightly copy'];
  expect(await waymark(['map', ...queries], { cwd })).toEqual({
    code: 0,
    stdout: 'map.html\n',
    stderr: expect.stringMatching(/^Comparing 5 passages\nRunning \d+ layout rounds\n/),
  });
  const { folders, passages, queries: found } = dataIn(path.join(cwd, 'map.html'));
  expect(folders).toEqual([
    { name: './', count: 2 },
    { name: 'guides/', count: 2 },
    { name: 'my notes/', count: 1 },
  ]);
  const places = passages.map(({ place, breadcrumb }: Record<string, string>) => [place, breadcrumb]);
  expect(places).toEqual([
    ['backup.md:3', 'Backups'],
    ['backup.md:7', 'Backups › Restore'],
    ['guides/keys.md:3', 'Keys'],
    ['guides/keys.md:7', 'Keys › Loss'],
    ['my notes/users.md:7', 'Users'],
  ]);
  expect(found.map(({ text }: { text: string }) => text)).toEqual(['lost key', 'nightly copy']);
  expect(found[0].hits[0]).toEqual({ passage: 3, rank: 1, score: expect.any(Number) });
  expect(found[1].hits[0]).toEqual({ passage: 0, rank: 1, score: expect.any(Number) });
});

test('the same files have the same map', async () => {
  const [one, other] = [await createIndexedFolder(FILES), await createIndexedFolder(FILES)];
  for (const cwd of [one, other]) expect(await waymark(['map'], { cwd })).toMatchObject({ code: 0 });
  expect(dataIn(path.join(one, 'map.html'))).toEqual(dataIn(path.join(other, 'map.html')));
});

test('--in and --tag choose the passages', async () => {
  const cwd = await createIndexedFolder(FILES);
  const [inside, tagged, misspelt] = await waymarkEach(
    [
      ['map', '--in', 'docs/guides', '--output', 'in.html'],
      ['map', '--tag', 'audience=admin', '--output', 'tag.html'],
      ['map', '--in', 'guide', '--output', 'none.html'],
    ],
    { cwd },
  );
  expect([inside?.code, tagged?.code, misspelt?.code]).toEqual([0, 0, 1]);
  expect(dataIn(path.join(cwd, 'in.html')).folders).toEqual([{ name: 'guides/', count: 2 }]);
  expect(dataIn(path.join(cwd, 'tag.html')).folders).toEqual([{ name: 'my notes/', count: 1 }]);
  expect(misspelt?.stderr).toBe(
    'No indexed file matches "guide". Pass a file, a folder or a glob such as "**/*.md" in docs.\n',
  );
  expect(existsSync(path.join(cwd, 'none.html'))).toBe(false);
});

test('an existing map is replaced; any other file is refused and left unchanged', async () => {
  const cwd = await createIndexedFolder();
  writeFileSync(path.join(cwd, 'notes.html'), '<p>Mine.');
  const [first, second, refused, folder, missing] = await waymarkEach(
    [['map'], ['map'], ['map', '--output', 'notes.html'], ['map', '--output', 'docs'], ['map', '--output', 'a/b.html']],
    { cwd },
  );
  expect([first?.code, second?.code]).toEqual([0, 0]);
  const isNoMap = 'exists and is not a map: pass a new file, or one that holds a map to replace.\n';
  expect(refused).toEqual({ code: 2, stdout: '', stderr: `--output "notes.html" ${isNoMap}` });
  expect(folder).toEqual({ code: 2, stdout: '', stderr: `--output "docs" ${isNoMap}` });
  expect(missing).toEqual({
    code: 2,
    stdout: '',
    stderr: 'The folder of --output "a/b.html" does not exist: create it, or pass another.\n',
  });
  expect(readFileSync(path.join(cwd, 'notes.html'), 'utf8')).toBe('<p>Mine.');
});

test('a map is written through a link, to a new file or over a map, and a link in a loop is refused', async () => {
  const cwd = await createIndexedFolder();
  mkdirSync(path.join(cwd, 'site'));
  symlinkSync('site/map.html', path.join(cwd, 'link.html'));
  symlinkSync('link.html', path.join(cwd, 'outer.html'));
  symlinkSync('loop.html', path.join(cwd, 'loop.html'));
  const [created, replaced, loop] = await waymarkEach(
    ['outer.html', 'link.html', 'loop.html'].map((output) => ['map', '--output', output]),
    { cwd },
  );
  expect([created?.code, replaced?.code, loop?.code]).toEqual([0, 0, 2]);
  expect(loop?.stderr).toContain('--output "loop.html" cannot be written (ELOOP): pass a file in another folder.\n');
  expect(readdirSync(path.join(cwd, 'site'))).toEqual(['map.html']);
  const links = ['link.html', 'outer.html'].map((name) => lstatSync(path.join(cwd, name)).isSymbolicLink());
  expect([links, dataIn(path.join(cwd, 'site/map.html')).passages]).toEqual([[true, true], expect.any(Array)]);
});

test('an empty query, and more than 26, are refused before anything is written', async () => {
  const cwd = await createIndexedFolder();
  const [empty, many] = await waymarkEach(
    [
      ['map', '--query', ''],
      ['map', ...Array.from({ length: 27 }, () => ['--query', 'a']).flat()],
    ],
    { cwd },
  );
  expect([empty?.code, many?.code]).toEqual([2, 2]);
  expect(empty?.stderr).toMatch(/^--query must be a non-empty string/);
  expect(many?.stderr).toBe('--query is given 27 times, but a map shows at most 26 queries: leave some out.\n');
  expect(existsSync(path.join(cwd, 'map.html'))).toBe(false);
});

test('Ctrl-C ends a map, and nothing is written', async () => {
  const cwd = await createIndexedFolder(FILES);
  const { code, stderr } = await interrupted(['map'], { cwd, at: 'Comparing' });
  expect([code, stderr]).toEqual([4, expect.stringContaining('The map was interrupted; nothing was written.\n')]);
  expect(existsSync(path.join(cwd, 'map.html'))).toBe(false);
});
