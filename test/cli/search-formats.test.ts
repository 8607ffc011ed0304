import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { databasePath } from './documentation.js';

const FILES = {
  'docs/pears.md':
    '# Pears\r\n\r\n## Green\r\n\r\nÄpfel and green pears.\r\n\r\n## Yellow\r\n\r\n- yellow `pears`, too\r\n',
  'docs/more.md': '# More\n\npears here now\n\n## Long\n\nAfter many other words that do not matter come some pears.\n',
  'docs/plums.md': '# Plums\n\nPears are no plums at all.\n',
  'docs/a`b.md': '# Nuts\n\nNo fruit in here.\n',
};

/** Contains FILES, indexed, and a text that is no file. No test changes it. */
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  writeFiles(cwd, FILES);
  const engine = await openEngine({ database: databasePath(cwd) });
  await engine.indexFolder(path.join(cwd, 'docs'));
  await engine.indexFile('given.md', 'A given text of cheese.');
  await engine.close();
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** What searches for words print. */
async function printed(...searches: readonly (readonly string[])[]): Promise<string[]> {
  const outcomes = await waymarkEach(
    searches.map((args) => ['search', ...args, '--mode', 'lexical']),
    { cwd },
  );
  return outcomes.map(({ stdout }) => stdout);
}

test('--format json and jsonl have the absolute path of each file, with --highlight its best sentence', async () => {
  const [json = '', lines = '', given = ''] = await printed(
    ['green pears', '--format', 'json', '--limit', '1', '--context-depth', '0', '--highlight'],
    ['pears', '--format', 'jsonl'],
    ['cheese', '--format', 'jsonl'],
  );
  const [passage] = JSON.parse(json).passages;
  expect(passage).toMatchObject({ path: path.join(cwd, 'docs/pears.md'), meta: { highlight: { start: 0, end: 22 } } });
  const keys = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).file.key);
  expect(keys.sort()).toEqual(['more.md', 'more.md', 'pears.md', 'pears.md', 'plums.md']);
  expect(JSON.parse(given)).toMatchObject({ path: null, file: { key: 'given.md' } });
});

test('--format markdown quotes each passage below its place, score and headings', async () => {
  const [pears, nuts] = await printed(
    ['yellow', '--format', 'markdown', '--limit', '1'],
    ['nuts', '--format', 'markdown', '--limit', '1'],
  );
  expect(pears?.replace(/0\.\d\d/, 'SCORE')).toBe(
    '`docs/pears.md:9` SCORE Pears > Yellow\n\n> - yellow `pears`, too\n',
  );
  expect(nuts).toMatch(/^`` docs\/a`b\.md:3 `` 0\.\d\d Nuts\n\n> No fruit in here\.\n$/);
});

test('--format vimgrep prints path, line, column in bytes and text of the best sentence', async () => {
  expect(
    await printed(
      ['green pears', '--format', 'vimgrep', '--limit', '1'],
      ['yellow', '--format', 'vimgrep', '--limit', '1'],
    ),
  ).toEqual(['docs/pears.md:5:1:Äpfel and green pears.\n', 'docs/pears.md:9:3:- yellow `pears`, too\n']);
});

test('--format files prints each file once', async () => {
  expect(await printed(['pears', '--format', 'files'], ['pears', '--format', 'files', '--limit', '1'])).toEqual([
    'docs/pears.md\ndocs/more.md\ndocs/plums.md\n',
    'docs/pears.md\n',
  ]);
});

test('text and markdown leave out results that score near zero if there is a better one', async () => {
  const formats = [['text'], ['markdown'], ['text', '--min-score', '0'], ['jsonl']];
  const searches = formats.map(([format = '', ...args]) => ['search', 'green pears', '--format', format, ...args]);
  const outcomes = await waymarkEach(searches, { cwd });
  const places = outcomes.map(({ stdout }) => stdout.match(/^`?docs\/\S+ |^\{/gm)?.length);
  expect(places).toEqual([1, 1, 5, 7]);
});

test('--per-file bounds the results of a file, --group lists them together', async () => {
  const files = (text: string | undefined) => text?.match(/^docs\/\w+(?=\.md:\d+ )/gm);
  const search = ['pears', '--min-score', '0'];
  const [all, one, grouped] = await printed(search, [...search, '--per-file', '1'], [...search, '--group']);
  expect(files(all)).toEqual(['docs/pears', 'docs/pears', 'docs/more', 'docs/plums', 'docs/more']);
  expect(files(one)).toEqual(['docs/pears', 'docs/more', 'docs/plums']);
  expect(files(grouped)).toEqual(['docs/pears', 'docs/pears', 'docs/more', 'docs/more', 'docs/plums']);
});

test('if all results score below 0.25, search warns of it; --consolidate is refused with vimgrep', async () => {
  const [low, high, merged, unknown] = await waymarkEach(
    [
      ['search', 'quarterly tax return of a company'],
      ['search', 'green pears'],
      ['search', 'pears', '--format', 'vimgrep', '--consolidate'],
      ['search', 'pears', '--format', 'xml'],
    ],
    { cwd },
  );
  expect([low?.code, low?.stderr]).toEqual([
    0,
    'All results score below 0.25: probably none of them answers. Rephrase the query, or index files that answer it.\n',
  ]);
  expect([high?.code, high?.stderr]).toEqual([0, '']);
  expect(merged).toEqual({
    code: 2,
    stdout: '',
    stderr: '--format vimgrep prints one line per match: leave out --consolidate.\n',
  });
  expect([unknown?.code, unknown?.stderr]).toEqual([2, expect.stringContaining('text, json, jsonl, markdown')]);
});

test('get prints lines of an indexed file, by its path or key, as they are indexed', async () => {
  const gets = [
    ['docs/pears.md:5'],
    ['pears.md:1-3'],
    [path.join(cwd, 'docs', 'plums.md')],
    ['docs/pears.md:9-'],
    ['docs/pears.md:9:3'],
    ['docs/pears.md:5', '--context-depth', '1'],
    ['given.md'],
  ];
  const outcomes = await waymarkEach(
    gets.map((args) => ['get', ...args]),
    { cwd },
  );
  expect(outcomes.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(gets.map(() => '0'));
  expect(outcomes.map(({ stdout }) => stdout)).toEqual([
    'Äpfel and green pears.\r\n',
    '# Pears\r\n\r\n## Green\r\n',
    FILES['docs/plums.md'],
    '- yellow `pears`, too\r\n',
    '- yellow `pears`, too\r\n',
    'Äpfel and green pears.\r\n\r\n## Yellow\r\n\r\n- yellow `pears`, too\r\n',
    'A given text of cheese.\n',
  ]);
  const [json] = await waymarkEach([['get', 'docs/plums.md:3-9999999999', '--json']], { cwd });
  expect(JSON.parse(json?.stdout ?? '')).toEqual({
    ...{ key: 'plums.md', path: path.join(cwd, 'docs/plums.md'), startLine: 3, endLine: 3, lines: 3 },
    text: 'Pears are no plums at all.\n',
  });
});

test('an empty file is printed as nothing, and the error about a line of it says that it is empty', async () => {
  const folder = folderOf({ 'docs/empty.md': '' });
  const [, whole, got] = await waymarkEach(
    [
      ['index', 'docs'],
      ['get', 'empty.md'],
      ['get', 'empty.md:1'],
    ],
    { cwd: folder },
  );
  expect(whole).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(got).toEqual({ code: 2, stdout: '', stderr: 'empty.md has no line 1: it is empty.\n' });
});

test('a path that begins with a dash is printed so that a command takes it for a path', async () => {
  const folder = folderOf({ '-dash.md': '# Yaks\n\nYaks graze.\n' });
  const [, found, got] = await waymarkEach(
    [
      ['index', '.'],
      ['search', 'yaks', '--format', 'files'],
      ['get', './-dash.md:3'],
    ],
    { cwd: folder },
  );
  expect(found).toEqual({ code: 0, stdout: './-dash.md\n', stderr: '' });
  expect(got).toEqual({ code: 0, stdout: 'Yaks graze.\n', stderr: '' });
});

test('get of a file that is not indexed or of lines that do not exist: one sentence with the next step', async () => {
  const cases: readonly (readonly [string[], number, string])[] = [
    [['docs/other.md'], 1, 'File "docs/other.md" is not indexed. Pass a path as waymark search prints it, or a key.'],
    [['other.md:3'], 1, 'File "other.md" is not indexed. Pass a path as waymark search prints it, or a key.'],
    [['a\nb.md:3'], 1, String.raw`File "a\nb.md" is not indexed. Pass a path as waymark search prints it, or a key.`],
    [['docs'], 1, 'File "docs" is not indexed. Pass a path as waymark search prints it, or a key.'],
    [['plums.md:4'], 2, 'plums.md has no line 4: pass lines from 1 to 3, as plums.md:1-3.'],
    [['plums.md:9999999999'], 2, 'plums.md has no line 9999999999: pass lines from 1 to 3, as plums.md:1-3.'],
    [['plums.md:3-2'], 2, 'plums.md has no lines 3-2: pass lines from 1 to 3, as plums.md:1-3.'],
    [['plums.md:0'], 2, 'plums.md has no line 0: pass lines from 1 to 3, as plums.md:1-3.'],
    [['plums.md', '--context-depth', '11'], 2, '--context-depth must be an integer from 0 to 10; it is 11.'],
  ];
  const outcomes = await waymarkEach(
    cases.map(([args]) => ['get', ...args]),
    { cwd },
  );
  expect(outcomes).toEqual(cases.map(([, code, sentence]) => ({ code, stdout: '', stderr: `${sentence}\n` })));
});
