import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { waymark, waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';

const DOCS = { 'docs/README.md': '# Yaks\n\nYaks graze.\n', 'docs/admin/a.md': '# Owls\n\nOwls hunt.\n' };

const CONFIG = `{
  // Where the documents are.
  "refresh": true,
  "folders": {
    "guides": {
      "path": "docs",
      "tags": { "kind": "guide" },
      "tagRules": [{ "path": "admin", "tags": { "audience": "admin" } }],
    }
  }
}`;

test('the folders of the configuration file are indexed as it says, and brought up to date by a search', async () => {
  const cwd = folderOf({ ...DOCS, '.waymark/config.json': CONFIG });
  const [indexed, listed, again, dropped] = await waymarkEach(
    [['index'], ['list'], ['search', 'owls', '--limit', '1', '--format', 'files'], ['drop', 'guides']],
    { cwd },
  );
  expect(indexed).toMatchObject({ code: 0, stdout: 'docs: 2 added\n' });
  expect(listed?.stdout).toBe('guides  docs  2 files  kind=guide  admin: audience=admin\n');
  expect(again).toMatchObject({ code: 0, stdout: 'docs/admin/a.md\n' });
  expect(dropped).toMatchObject({
    code: 2,
    stderr: 'The configuration file declares the folder "guides": remove it there first (waymark config).\n',
  });
});

test('a folder of the file gets no other name, and no other folder gets its name', async () => {
  const cwd = folderOf({ ...DOCS, 'notes/a.md': 'Bats.', '.waymark/config.json': CONFIG });
  const outcomes = await waymarkEach(
    [
      ['add', 'docs', '--name', 'manual'],
      ['add', 'notes', '--name', 'guides'],
      ['add', 'notes'],
    ],
    { cwd },
  );
  const message = 'The configuration file declares the folder "guides": change it there, then run waymark index.\n';
  const refused = { code: 2, stdout: '', stderr: message };
  expect(outcomes.slice(0, 2)).toEqual([refused, refused]);
  expect(outcomes[2]?.stdout).toBe('Added notes as "notes".\nFiles: 1 added.\n');
});

test('a folder of the file cannot be dropped, even through a link', async () => {
  const cwd = folderOf({ ...DOCS, '.waymark/config.json': CONFIG });
  symlinkSync('docs', path.join(cwd, 'link'));
  const [, dropped] = await waymarkEach([['index'], ['drop', 'link']], { cwd });
  expect(dropped).toMatchObject({ code: 2, stderr: expect.stringContaining('declares the folder "guides"') });
});

test('index says to remove a missing folder from the file as well', async () => {
  const cwd = folderOf({ ...DOCS, '.waymark/config.json': CONFIG });
  await waymark(['index'], { cwd });
  rmSync(path.join(cwd, 'docs'), { recursive: true });
  const { code, stderr } = await waymark(['index'], { cwd });
  const advice = 'To forget its files: take it out of the configuration file, then run: waymark drop docs\n';
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(advice) });
});

test('a folder whose path was changed in the file is added once the former path is forgotten', async () => {
  const declaring = (place: string) => JSON.stringify({ folders: { guides: { path: place } } });
  const cwd = folderOf({ ...DOCS, 'notes/a.md': 'Bats.', '.waymark/config.json': declaring('docs') });
  await waymark(['index'], { cwd });
  writeFiles(cwd, { '.waymark/config.json': declaring('notes') });
  const [refused, dropped, indexed] = await waymarkEach([['index'], ['drop', 'docs'], ['index']], { cwd });
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'The configuration file declares notes as "guides", but the index has that name for docs: ' +
      'choose another name, or forget that folder with: waymark drop docs\n',
  });
  expect([dropped?.code, indexed?.stdout]).toEqual([0, 'notes: 1 added\n']);
});

test('a first search creates the index of the folders that the file declares, if it says to refresh', async () => {
  const cwd = folderOf({ ...DOCS, '.waymark/config.json': CONFIG });
  const { code, stdout } = await waymark(['search', 'yaks', '--limit', '1', '--format', 'files'], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'docs/README.md\n' });
});

test('an option overrides the environment, and the environment the file; config shows the source', async () => {
  const file = '{\n  "bot": "a",\n  "model": "./m",\n  "passageTokens": 64\n}';
  const cwd = folderOf({ '.waymark/config.json': file });
  const env = { WAYMARK_BOT: 'b', WAYMARK_MODEL: 'hash' };
  const { code, stdout } = await waymark(['config', '--bot', 'c', '--json'], { cwd, env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    database: { value: path.join(cwd, '.waymark/waymark.db'), source: 'nearest folder' },
    settings: [
      { name: 'bot', value: 'c', source: 'option' },
      { name: 'model', value: 'hash', source: 'WAYMARK_MODEL' },
      { name: 'passageTokens', value: 64, source: '.waymark/config.json:4' },
      { name: 'refresh', value: null, source: 'default' },
    ],
    folders: [],
  });
});

test('the bot of the settings limits neither a new token nor doctor: both are for all bots', async () => {
  const cwd = folderOf({ ...DOCS, '.waymark/config.json': '{ "bot": "support" }' });
  const [, , created, checked] = await waymarkEach(
    [
      ['workspace', 'create', 'acme'],
      ['bot', 'create', 'helpdesk', '--workspace', 'acme'],
      ['token', 'create', 'ci', '--workspace', 'acme', '--role', 'member', '--json'],
      ['doctor'],
    ],
    { cwd },
  );
  expect(created?.stderr).toBe('');
  expect(JSON.parse(created?.stdout ?? '')).toMatchObject({ name: 'ci', bots: [] });
  expect([checked?.code, checked?.stdout]).toEqual([0, expect.stringContaining('(helpdesk)')]);
});

describe('a wrong configuration file is refused with the line', () => {
  test.each([
    ['{\n  "passageTokens": "big"\n}', ':2: passageTokens must be an integer of at least 16; it is "big".'],
    [
      '{\n  "models": "x"\n}',
      ':2: There is no setting "models": use bot, model, passageTokens, refresh, cluster or folders.',
    ],
    ['{\n  "bot": "a"\n  "model": "b"\n}', ':3: The JSON is not valid: comma expected.'],
    [
      '{ "folders": [{ "path": "x" }] }',
      ':1: folders must be an object such as { "guides": { "path": "docs" } }, with names of 1 to 100 letters, ' +
        "digits, spaces, dots, dashes or underscores, starting with a letter or digit; it is [ { path: 'x' } ].",
    ],
    [`{ "model": ${'['.repeat(100_000)}${']'.repeat(100_000)} }`, ':1: The JSON is not valid: nested too deeply.'],
    ['{ "bot": "a",\n "bot": "b" }', ':2: The JSON is not valid: "bot" is given twice.'],
    [
      '{ "folders": {\n "a": { "path": "docs" },\n "a": { "path": "more" } } }',
      ':3: The JSON is not valid: "a" is given twice.',
    ],
    ['[]', ':1: The file must hold an object of settings.'],
    [
      '{\n  "folders": {\n    "a": { "ignore": [] }\n  }\n}',
      ':3: folders.a.path must be the path of a folder; it is missing.',
    ],
    [
      '{ "folders": { "a": { "path": "x",\n "tag": {} } } }',
      ':2: There is no setting "tag": use path, ignore, tags or tagRules.',
    ],
    [
      '{ "folders": { "a": { "path": "docs" },\n "b": { "path": "./docs/" } } }',
      ':2: The folders "a" and "b" have the same path: remove one of them.',
    ],
    [
      '{ "folders": { "a": { "path": "docs",\n "tags": {\n "__proto__": "x" } } } }',
      ':3: folders.a.tags cannot have a member "__proto__": choose another name.',
    ],
    [
      '{ "folders": { "a": { "path": "docs",\n "tagRules": [{ "path": "x",\n "tags": { "__proto__": "x" } }] } } }',
      ':3: folders.a.tagRules[0].tags cannot have a member "__proto__": choose another name.',
    ],
    ['{ "folders": {\n "__proto__": {} } }', ':2: folders cannot have a member "__proto__": choose another name.'],
    ['{\n "__proto__": {} }', ':2: The file cannot have a member "__proto__": choose another name.'],
  ])('%j', async (text, message) => {
    const cwd = folderOf({ '.waymark/config.json': text });
    const { code, stderr } = await waymark(['index'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `.waymark/config.json${message}\n` });
  });

  test.runIf(process.platform !== 'win32')('a named pipe or a folder in its place is refused', async () => {
    const [piped, folder] = [folderOf({ '.waymark/.gitignore': '' }), folderOf({ '.waymark/config.json/a': '' })];
    execFileSync('mkfifo', [path.join(piped, '.waymark/config.json')]);
    for (const cwd of [piped, folder]) {
      const { code, stderr } = await waymark(['list'], { cwd });
      const message = '.waymark/config.json is not a regular file: replace or remove it.\n';
      expect({ code, stderr }).toEqual({ code: 2, stderr: message });
    }
  });

  test('a variable with a wrong value is named', async () => {
    const cwd = folderOf(DOCS);
    const { code, stderr } = await waymark(['search', 'x'], { cwd, env: { WAYMARK_REFRESH: 'yes' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'WAYMARK_REFRESH must be true or false; it is "yes".\n' });
  });

  test('a number of passage tokens that no model takes is refused where it is given', async () => {
    const cwd = folderOf({ 'low/.waymark/config.json': '{ "passageTokens": 3 }' });
    const outcomes = [
      await waymark(['config', '--passage-tokens', '3'], { cwd }),
      await waymark(['config'], { cwd, env: { WAYMARK_PASSAGE_TOKENS: '3' } }),
      await waymark(['config'], { cwd: path.join(cwd, 'low') }),
    ];
    const rule = 'must be an integer of at least 16; it is';
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, `--passage-tokens ${rule} 3.\n`],
      [2, `WAYMARK_PASSAGE_TOKENS ${rule} "3".\n`],
      [2, `.waymark/config.json:1: passageTokens ${rule} 3.\n`],
    ]);
  });

  test('an empty variable counts as not set', async () => {
    const cwd = folderOf({ '.waymark/config.json': '{ "bot": "helpdesk", "passageTokens": 100, "refresh": true }' });
    const env = { WAYMARK_BOT: '', WAYMARK_MODEL: '', WAYMARK_PASSAGE_TOKENS: '', WAYMARK_REFRESH: '' };
    const [set, unset] = [await waymark(['config'], { cwd, env }), await waymark(['config'], { cwd })];
    expect(set).toEqual(unset);
    expect(set.code).toBe(0);
  });

  test('a variable is checked even by a command that has no such option', async () => {
    const cwd = folderOf(DOCS);
    await waymark(['index', 'docs'], { cwd });
    const { code, stderr } = await waymark(['list'], { cwd, env: { WAYMARK_PASSAGE_TOKENS: '9999' } });
    const message = 'passageTokens must be an integer from 16 to 512; it is 9999.\n';
    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
  });

  test('a folder that does not exist is named, and no database is created', async () => {
    const cwd = folderOf({ '.waymark/config.json': '{ "folders": { "a": { "path": "nope" } } }' });
    const { code, stderr } = await waymark(['index'], { cwd });
    const place = path.join(cwd, 'nope');
    const message = `The folder ${place} of "a" does not exist: correct its path in the configuration.\n`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
    expect(readdirSync(path.join(cwd, '.waymark'))).toEqual(['config.json']);
  });
});
