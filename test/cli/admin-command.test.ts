import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MAIN, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { runNode } from '../support/node.js';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const NO_TOKENS = 'There are no tokens: waymark token create <name> --workspace <name> --role <role>\n';

/** Runs commands in sequence in a new folder; ids and tokens in stdout are replaced by placeholders. */
async function outcomes(commands: readonly (readonly string[])[]): Promise<[number | null, string, string][]> {
  const results = await waymarkEach(commands, { cwd: folderOf() });
  return results.map(({ code, stdout, stderr }) => {
    const plain = stdout.replaceAll(new RegExp(UUID, 'g'), 'ID').replaceAll(/wm_[\w-]+/g, 'TOKEN');
    return [code, plain, stderr];
  });
}

test('workspaces, bots and tokens are created, listed, renamed, revoked and deleted', async () => {
  const results = await outcomes([
    ['workspace', 'create', 'acme'],
    ['workspace', 'list'],
    ['bot', 'create', 'support', '--workspace', 'acme'],
    ['bot', 'rename', 'support', 'helpdesk'],
    ['bot', 'list', '--workspace', 'acme'],
    ['token', 'create', 'ci', '--workspace', 'acme', '--role', 'member', '--bot', 'helpdesk'],
    ['token', 'list'],
    ['bot', 'delete', 'helpdesk', '--yes'],
    ['bot', 'list', '--workspace', 'acme'],
    ['workspace', 'delete', 'acme', '--yes'],
    ['workspace', 'list'],
    ['token', 'list'],
  ]);
  expect(results).toEqual([
    [0, 'Created workspace acme (ID).\n', ''],
    [0, 'acme  ID\n', ''],
    [0, 'Created bot support (ID).\n', ''],
    [0, 'Renamed bot ID to helpdesk.\n', ''],
    [0, 'helpdesk  ID  acme  not indexed yet\n', ''],
    [0, 'TOKEN\n', 'Save this token now: only its hash is stored, so it cannot be shown again.\n'],
    [0, 'ci  ID  member  1 bot  never expires\n', ''],
    [0, 'Deleted bot helpdesk (ID) and its files.\n', ''],
    [1, '', 'There are no bots: waymark bot create <name>\n'],
    [0, 'Deleted workspace acme (ID), its bots, their files and its tokens.\n', ''],
    [1, '', 'There are no workspaces: waymark workspace create <name>\n'],
    [1, '', NO_TOKENS],
  ]);
});

test('a name that bots of several workspaces share selects none of them', async () => {
  const cwd = folderOf({ 'docs/a.md': '# Kettle\n' });
  const results = await waymarkEach(
    [
      ['workspace', 'create', 'acme'],
      ['workspace', 'create', 'zeta'],
      ['bot', 'create', 'support', '--workspace', 'acme'],
      ['bot', 'create', 'support', '--workspace', 'zeta'],
      ['bot', 'delete', 'support', '--yes'],
      ['bot', 'rename', 'support', 'helpdesk'],
      ['index', 'docs', '--bot', 'support'],
      ['bot', 'delete', 'support', '--workspace', 'acme', '--yes'],
      ['bot', 'rename', 'support', 'helpdesk'],
    ],
    { cwd },
  );
  const [inAcme, inZeta] = results.slice(2, 4).map(({ stdout }) => new RegExp(UUID).exec(stdout)?.[0]);
  const candidates = `${inAcme} (workspace acme), ${inZeta} (workspace zeta)`;
  const refused = { code: 2, stdout: '', stderr: `2 bots are named "support": pass the id of one: ${candidates}.\n` };
  expect(results.slice(4)).toEqual([
    refused,
    refused,
    refused,
    { code: 0, stdout: `Deleted bot support (${inAcme}) and its files.\n`, stderr: '' },
    { code: 0, stdout: `Renamed bot ${inZeta} to helpdesk.\n`, stderr: '' },
  ]);
});

test('without a terminal to ask in, nothing is deleted without --yes', async () => {
  const [, , bot, workspace, list] = await outcomes([
    ['workspace', 'create', 'acme'],
    ['bot', 'create', 'support', '--workspace', 'acme'],
    ['bot', 'delete', 'support'],
    ['workspace', 'delete', 'acme'],
    ['bot', 'list'],
  ]);
  expect(bot).toEqual([2, '', expect.stringMatching(/^Nothing was deleted: add --yes to delete bot support \(.*\n$/)]);
  expect(workspace?.[2]).toMatch(/^Nothing was deleted: add --yes to delete workspace acme \(.*, its bots, .*\n$/);
  expect(list?.[1]).toBe('support  ID  acme  not indexed yet\n');
});

test.each([
  ['y\n', 0, /^Delete bot support \(.*\) and its files\? \[y\/N\] $/],
  ['Yes\n', 0, /^Delete bot support/],
  ['n\n', 1, /\] Nothing was deleted\.\n$/],
  ['\n', 1, /\] Nothing was deleted\.\n$/],
  ['', 1, /\] Nothing was deleted\.\n$/],
])('a terminal is asked before deleting: %j ends with %i', async (answer, code, stderr) => {
  const cwd = folderOf();
  await waymarkEach([['bot', 'create', 'support']], { cwd });
  const terminal = 'data:text/javascript,process.stdin.isTTY=true';
  const ended = await runNode(['--import', terminal, MAIN, 'bot', 'delete', 'support'], { cwd, stdin: answer });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(stderr)]);
  const [list] = await waymarkEach([['bot', 'list']], { cwd });
  expect(list?.code).toBe(code === 0 ? 1 : 0);
});

test.each(['2020-01-31T12:00:00Z', '12', 'Jan 5', '2999-01-31'])(
  'a token that expires at %s, in the past or without a time, is not created',
  async (time) => {
    const [, created, list] = await outcomes([
      ['workspace', 'create', 'acme'],
      ['token', 'create', 'ci', '--workspace', 'acme', '--role', 'search', '--expires', time],
      ['token', 'list'],
    ]);
    const message = `--expires must be an ISO 8601 time to come, such as 2030-01-31T12:00:00Z; it is "${time}".\n`;
    expect([created, list]).toEqual([
      [2, '', message],
      [1, '', NO_TOKENS],
    ]);
  },
);

test('a damaged token is named, and the others are listed: exit code 4', async () => {
  const cwd = folderOf();
  const create = (name: string) => ['token', 'create', name, '--workspace', 'acme', '--role', 'search'];
  await waymarkEach([['workspace', 'create', 'acme'], create('laptop'), create('ci')], { cwd });
  const database = new Sqlite(path.join(cwd, '.waymark', 'waymark.db'));
  database.exec(`UPDATE tokens SET role = 'sear3h' WHERE name = 'laptop'`);
  database.close();
  const damage = 'The row of the token laptop is damaged in the database: repair it with: waymark doctor --repair\n';
  const [lines, json, doctor, repaired] = await waymarkEach(
    [
      ['token', 'list'],
      ['token', 'list', '--json'],
      ['doctor', '--repair'],
      ['token', 'list'],
    ],
    { cwd },
  );
  expect(lines).toEqual({ code: 4, stdout: expect.stringMatching(/^ci {2}.*\n$/), stderr: damage });
  expect([json?.code, json?.stderr]).toEqual([4, damage]);
  expect(JSON.parse(String(json?.stdout))).toMatchObject({ tokens: [{ name: 'ci' }] });
  expect(doctor?.stdout).toContain('Revoked the token laptop, whose role was damaged: create another one.');
  expect(repaired).toEqual({ code: 0, stdout: expect.stringMatching(/^laptop .* revoked .*\nci .*\n$/), stderr: '' });
});

test('an invalid workspace, bot or token: exit code 2 and one sentence', async () => {
  const results = await outcomes([
    ['workspace', 'create', 'acme'],
    ['workspace', 'create', 'acme'],
    ['bot', 'create', '/', '--workspace', 'acme'],
    ['bot', 'create', 'a', '--workspace', 'nowhere'],
    ['bot', 'delete', 'nobody'],
    ['token', 'create', 'ci', '--workspace', 'acme', '--role', 'search', '--expires', 'soon'],
    ['token', 'revoke', 'none'],
  ]);
  expect(results.slice(1)).toEqual([
    [2, '', 'A workspace named "acme" already exists: use it, or choose another name.\n'],
    [2, '', expect.stringMatching(/^name must be 1 to 100 letters, .*; it is "\/"\.\n$/)],
    [2, '', 'There is no workspace "nowhere": "waymark workspace list" lists them.\n'],
    [2, '', 'There is no bot "nobody": pass an id that "waymark bot list" shows.\n'],
    [2, '', '--expires must be an ISO 8601 time to come, such as 2030-01-31T12:00:00Z; it is "soon".\n'],
    [2, '', 'There is no token with the id "none": list them with: waymark token list\n'],
  ]);
});
