import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { MAIN, node, waymark, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { databasePath } from './documentation.js';

/** Runs commands that must each fail with one line on stderr and nothing on stdout. */
async function failures(commands: readonly (readonly string[])[], cwd: string) {
  const outcomes = await waymarkEach(commands, { cwd });
  expect(outcomes.map(({ stdout }) => stdout).join('')).toBe('');
  for (const { stderr } of outcomes) expect(stderr).toMatch(/^[^\n]+\n$/);
  return outcomes.map(({ code, stderr }) => [code, stderr.trimEnd()] as const);
}

test('without an index: exit code 3, and the command that creates one; no file is created', async () => {
  const cwd = folderOf();
  const index = `No index at ${databasePath(cwd)}. Create one with: waymark index <folder>`;
  const database = (command: string) => `No database at ${databasePath(cwd)}. Create one with: waymark ${command}`;
  const cases: readonly (readonly [string[], string])[] = [
    [['search', 'apples'], index],
    [['get', 'a.md'], index],
    [['map'], index],
    [['status'], index],
    [['remove', 'a.md'], index],
    [['bot', 'list'], database('bot create <name>')],
    [['workspace', 'list'], database('workspace create <name>')],
    [['token', 'list'], database('workspace create <name>')],
    [['bot', 'create', 'a', '--workspace', 'acme'], database('workspace create acme')],
  ];
  const commands = cases.map(([command]) => command);
  expect(await failures(commands, cwd)).toEqual(cases.map(([, message]) => [3, message]));
  expect(readdirSync(cwd)).toEqual([]);
});

test('without the database that --database names: the command that creates one names it, too', async () => {
  const cwd = folderOf();
  const at = path.join(cwd, 'my docs.db');
  const argument = "--database 'my docs.db'";
  const place = ['--database', 'my docs.db'];
  expect(
    await failures(
      [
        ['status', ...place],
        ['bot', 'list', ...place],
      ],
      cwd,
    ),
  ).toEqual([
    [3, `No index at ${at}. Create one with: waymark index <folder> ${argument}`],
    [3, `No database at ${at}. Create one with: waymark bot create <name> ${argument}`],
  ]);
});

test('a folder in place of a file is named, with what to pass: --database, remove', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  await waymarkEach([['index', 'docs']], { cwd });
  expect(
    await failures(
      [
        ['status', '--database', 'docs'],
        ['remove', 'docs'],
      ],
      cwd,
    ),
  ).toEqual([
    [2, `${cwd}/docs is a folder: name the database in it, such as ${cwd}/docs/waymark.db.`],
    [1, 'docs is a folder. To forget a folder with its files: waymark drop docs'],
  ]);
});

test('--port of mcp is for HTTP: without --http it is refused', async () => {
  const message = '--port is for HTTP only: pass --http as well, or leave out --port.';
  expect(await failures([['mcp', '--port', '7334']], folderOf())).toEqual([[2, message]]);
});

/** Removes its working folder, then runs Node there. */
const IN_REMOVED_FOLDER = `
  import { spawnSync } from 'node:child_process';
  import { rmdirSync } from 'node:fs';
  rmdirSync(process.cwd());
  process.exitCode = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' }).status;
`;

test.each(['search apples', 'status', 'doctor', 'serve', 'index .'])(
  'in a working folder that was removed: exit code 4 and one sentence: %s',
  async (command) => {
    const program = ['--input-type=module', '--eval', IN_REMOVED_FOLDER, MAIN, ...command.split(' ')];
    expect(await node(program, { cwd: mkdtempSync(path.join(tmpdir(), 'waymark-test-')) })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The working folder no longer exists: change to another one and try again.\n',
    });
  },
);

test('index with an invalid folder, model or bot: exit code 2, and no file is created', async () => {
  const cwd = folderOf({ 'a.md': 'apples' });
  const cases: readonly (readonly [string[], string])[] = [
    [['index', 'nowhere'], `Folder ${path.join(cwd, 'nowhere')} does not exist. Pass a folder of documents.`],
    [['index', 'a.md'], `${path.join(cwd, 'a.md')} is a file. Pass the folder that contains it.`],
    [['index', ''], 'The path of the folder is empty. Pass a folder of documents.'],
    [['add', ''], 'The path of the folder is empty. Pass a folder of documents.'],
    [['index', '.', '--bot', 'x'], 'There is no bot "x": create it with: waymark bot create x'],
    [['index', '.', '--bot', 'x y'], 'There is no bot "x y": create it with: waymark bot create "x y"'],
    [
      ['index', '.', '--model', 'nowhere'],
      'No model "nowhere": pass waymark-docs-small-en, the path of a model folder, or a hub id such as Xenova/all-MiniLM-L6-v2.',
    ],
    [
      ['index', '.', '--model', './nope'],
      `There is no folder ${path.join(cwd, 'nope')}: pass waymark-docs-small-en, the path of a model folder, or a hub id such as Xenova/all-MiniLM-L6-v2.`,
    ],
    [
      ['index', '.', '--index', 'x'],
      "Option '--index <kind>' argument 'x' is invalid. Allowed choices are auto, exact, hnsw. See: waymark index --help",
    ],
    [
      ['index', '.', '--tag', 'x'],
      "Option '--tag <name=value>' argument 'x' is invalid. Expected name=value. See: waymark index --help",
    ],
    [
      ['index', '.', '--ignore', ''],
      "Option '--ignore <pattern>' argument '' is invalid. Expected a pattern, such as drafts/. See: waymark index --help",
    ],
    [
      ['index', '--reembed', '--tag', 'a=b'],
      '--ignore, --tag and --reset need a folder. Pass the folder to index as well.',
    ],
    [['index', '.', '..'], "Too many arguments for 'index'. Expected 1 argument but got 2. See: waymark index --help"],
    [
      ['bot', 'create'],
      "Missing required argument 'name'. Usage: waymark bot create [options] <name>. See: waymark bot create --help",
    ],
    [['index', '.', '--tag'], "Option '--tag <name=value>' argument missing. See: waymark index --help"],
    [['bot', 'create', '/'], expect.stringMatching(/^name must be 1 to 100 letters, .*; it is "\/"\.$/)],
    [['workspace', 'create', ''], expect.stringMatching(/^name must be 1 to 100 letters, .*; it is ""\.$/)],
  ];
  const commands = cases.map(([args]) => args);
  expect(await failures(commands, cwd)).toEqual(cases.map(([, message]) => [2, message]));
  expect(readdirSync(cwd)).toEqual(['a.md']);
});

test('search with an invalid query, option or model: exit code 2, and the index is unchanged', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  await waymark(['index', 'docs'], { cwd });
  const status = () => waymark(['status', '--json'], { cwd });
  const before = await status();
  const limit = '--limit must be an integer from 1 to 50; it is';
  const cases: readonly (readonly [string[], string])[] = [
    [['search', ''], 'query must be a non-empty string of at most 2048 bytes; it is "".'],
    [['search', 'x', '--limit', '0'], `${limit} 0.`],
    [['search', 'x', '--limit', '51'], `${limit} 51.`],
    [['search', 'x', '--limit', 'ten'], `${limit} "ten".`],
    [['search', 'x', '--limit', '1.5'], `${limit} "1.5".`],
    [['search', 'x', '--context-depth', '11'], '--context-depth must be an integer from 0 to 10; it is 11.'],
    [['search', 'x', '--min-score', 'x'], '--min-score must be a number from 0 to 1; it is "x".'],
    [['search', 'x', '--per-file', '0'], '--per-file must be an integer from 1 to 50; it is 0.'],
    [
      ['search', 'x', '--in', ''],
      "--in must be a non-empty string that is a file, a folder or a glob, or a list of them; it is [ '' ].",
    ],
    [
      ['search', 'x', '--format', 'json', '--consolidate', '--with-context'],
      '--with-context is not supported with --consolidate: use one of them.',
    ],
    [['search', 'x', '--bot', ''], 'There is no bot "": list the bots with: waymark bot list'],
    [['search', 'x', '--bot', 'a/b'], 'There is no bot "a/b": list the bots with: waymark bot list'],
    [
      ['search', 'x', '-a\nb'],
      "Unknown option '-a\\x0ab'. An argument that begins with a dash follows --. See: waymark search --help",
    ],
    [['search', 'x', '--tag', 'a'], 'A tag is given as name=value or name!=value; this one is "a".'],
    [['search'], 'No question given. Pass one, as in: waymark search "how do I …?"'],
    [['search', '-i'], '--interactive needs a terminal: leave it out, and pass a question.'],
    [
      ['search', 'x', '--limt', '3'],
      expect.stringMatching(/^Unknown option '--limt'\. Did you mean --limit\? An argument /),
    ],
    [
      ['--database', 'a.db', 'status'],
      "Unknown option '--database'. Pass it after the name of the command. See: waymark --help",
    ],
    [
      ['bot', '--json', 'list'],
      "Unknown option '--json'. Pass it after the name of the command. See: waymark bot --help",
    ],
    [['search', 'x', '--json'], "Unknown option '--json'. Use --format json. See: waymark search --help"],
    ...['list', 'drop docs', 'get a.md', 'remove a.md', 'status', 'map', 'eval q.jsonl', 'mcp'].map(
      (command): [string[], string] => [
        [...command.split(' '), '--passage-tokens', '64'],
        "Unknown option '--passage-tokens'. Pass it to waymark index, which cuts the files into passages. " +
          `See: waymark ${command.split(' ')[0]} --help`,
      ],
    ),
    [['bot', 'create', 'default'], 'A bot named "default" already exists: use it, or choose another name.'],
    [['bot', 'create', 'a/b'], expect.stringMatching(/^name must be 1 to 100 letters, .*; it is "a\/b"\.$/)],
  ];
  const commands = cases.map(([args]) => args);
  expect(await failures(commands, cwd)).toEqual(cases.map(([, message]) => [2, message]));
  expect((await status()).stdout).toBe(before.stdout);
});

test('a model other than the recorded one: exit code 2, and the index is unchanged', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  const engine = await openEngine({ database: databasePath(cwd), model: createHashEmbedder() });
  await engine.indexFolder(path.join(cwd, 'docs'));
  const before = await engine.status();
  await engine.close();
  const refused = await failures(
    [
      ['search', 'apples'],
      ['index', 'docs', '--model', 'waymark-docs-small-en'],
    ],
    cwd,
  );
  const message = /^The files of bot "default" were embedded with hash, not with this waymark-docs-small-en: /;
  expect(refused).toEqual(refused.map(() => [2, expect.stringMatching(message)]));
  const again = await openEngine({ database: databasePath(cwd), model: createHashEmbedder() });
  expect(await again.status()).toEqual(before);
  await again.close();
});

test('a database that is damaged, too new or cannot be created: exit code 4', async () => {
  const cwd = folderOf({ 'notes.db': 'not a database'.repeat(100), 'docs/a.md': 'apples' });
  openConnection(path.join(cwd, 'new.db'), { create: true }).pragma('user_version = 999');
  const commands = [
    ['search', 'apples', '--database', 'notes.db'],
    ['index', 'docs', '--database', 'notes.db'],
    ['search', 'apples', '--database', 'new.db'],
    ['index', 'docs', '--database', 'docs/a.md/waymark.db'],
  ];
  expect(await failures(commands, cwd)).toEqual([
    [4, expect.stringMatching(/notes\.db is not a database, .*: choose another file/)],
    [4, expect.stringMatching(/notes\.db is not a database, .*: choose another file/)],
    [4, expect.stringMatching(/new\.db was made by a newer Waymark .*: update Waymark\.$/)],
    [4, expect.stringMatching(/waymark\.db cannot be opened or written .*: check its folder/)],
  ]);
});

test('a value of --database that names no file is wrong usage: exit code 2', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  const commands = ['docs', ':memory:', 'file:a.db'].flatMap((value) => [
    ['index', 'docs', '--database', value],
    ['search', 'apples', '--database', value],
    ['doctor', '--database', value],
  ]);
  const codes = await failures(commands, cwd);
  expect(codes.map(([code]) => code)).toEqual(commands.map(() => 2));
});

test('remove of a file that is not indexed: exit code 1, and what a key is', async () => {
  const cwd = folderOf({ 'docs/a.md': 'apples' });
  const [, missing, unnamed, removed, again, json] = await waymarkEach(
    [
      ['index', 'docs'],
      ['remove', 'docs/b.md'],
      ['remove', 'a.md', ''],
      ['remove', 'a.md'],
      ['remove', 'a.md', '--json'],
      ['search', 'apples'],
    ],
    { cwd },
  );
  const message = (key: string) => `File "${key}" is not indexed. Pass its path, or its key as searches print it.\n`;
  expect(missing).toEqual({ code: 1, stdout: '', stderr: message('docs/b.md') });
  expect(unnamed).toMatchObject({ code: 2, stdout: '' });
  expect(removed).toEqual({ code: 0, stdout: 'Removed a.md.\n', stderr: '' });
  expect(again).toEqual({
    code: 1,
    stdout: '{\n  "files": [\n    {\n      "key": "a.md",\n      "removed": false\n    }\n  ]\n}\n',
    stderr: message('a.md'),
  });
  expect(json?.code).toBe(3);
});

test('an unknown command: exit code 2, and a similar command', async () => {
  const cwd = folderOf();
  writeFileSync(path.join(cwd, 'a.md'), 'apples');
  expect(await waymark(['serch', 'apples'], { cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr: "Unknown command 'serch'. Did you mean search? See: waymark --help\n",
  });
});

test('the help of an unknown command: exit code 2, and one sentence', async () => {
  const commands = [
    ['help', 'serch'],
    ['help', 'bot', 'nope'],
    ['bot', 'help', 'nope'],
    ['help', ''],
    ['serch', '--help'],
    ['bot', 'nope', '-h'],
    ['', '--help'],
  ];
  expect(await failures(commands, folderOf())).toEqual([
    [2, "Unknown command 'serch'. Did you mean search? See: waymark --help"],
    [2, "Unknown command 'nope'. See: waymark bot --help"],
    [2, "Unknown command 'nope'. See: waymark bot --help"],
    [2, "Unknown command ''. See: waymark --help"],
    [2, "Unknown command 'serch'. Did you mean search? See: waymark --help"],
    [2, "Unknown command 'nope'. See: waymark bot --help"],
    [2, "Unknown command ''. See: waymark --help"],
  ]);
});

test('help shows the help of a command, and of one below it', async () => {
  const helps = await waymarkEach(
    [['help', 'search'], ['help', 'bot', 'create'], ['bot', 'help', 'create'], ['help']],
    {
      cwd: folderOf(),
    },
  );
  expect(helps.map(({ code, stdout, stderr }) => [code, stdout.split('\n')[0], stderr])).toEqual([
    [0, 'Usage: waymark search [options] [query...]', ''],
    [0, 'Usage: waymark bot create [options] <name>', ''],
    [0, 'Usage: waymark bot create [options] <name>', ''],
    [0, 'Usage: waymark [options] [command]', ''],
  ]);
});

test('an argument outside its choices, and an empty --output, are refused with what to pass', async () => {
  const cwd = folderOf();
  writeFileSync(path.join(cwd, 'a.md'), 'apples');
  await waymark(['index', '.'], { cwd });
  const shells = 'Allowed choices are bash, zsh, fish. See: waymark completion --help';
  const commands = [
    ['completion', 'nope'],
    ['map', '--output', ''],
  ];
  expect(await failures(commands, cwd)).toEqual([
    [2, `'nope' is not a valid shell. ${shells}`],
    [2, 'The path of --output is empty: pass the path of a file.'],
  ]);
});

test('a question instead of a command: exit code 2, and how to ask it', async () => {
  const asked = await waymark(['how do I rotate keys?'], { cwd: folderOf() });
  const stderr =
    "Unknown command 'how do I rotate keys?'. To ask a question, put search before it. See: waymark --help\n";
  expect(asked).toEqual({ code: 2, stdout: '', stderr });
});
