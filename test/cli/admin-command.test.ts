import { expect, test } from 'vitest';
import { waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

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
    ['bot', 'delete', 'helpdesk'],
    ['bot', 'list', '--workspace', 'acme'],
  ]);
  expect(results).toEqual([
    [0, 'Created workspace acme (ID).\n', ''],
    [0, 'acme  ID\n', ''],
    [0, 'Created bot support (ID).\n', ''],
    [0, 'Renamed bot ID to helpdesk.\n', ''],
    [0, 'helpdesk  ID  not indexed yet\n', ''],
    [0, 'TOKEN\n', 'Save this token now: only its hash is stored, so it cannot be shown again.\n'],
    [0, 'ci  ID  member  1 bot  never expires\n', ''],
    [0, 'Deleted bot helpdesk (ID) and its files.\n', ''],
    [1, '', ''],
  ]);
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
    [2, '', 'There is no workspace "nowhere": list the workspaces with: waymark workspace list\n'],
    [2, '', 'There is no bot "nobody": listBots lists the bots of the workspace.\n'],
    [2, '', 'expiresAt must be an ISO 8601 time, such as 2030-01-31T12:00:00Z; it is "soon".\n'],
    [2, '', 'There is no token with the id "none": list them with: waymark token list\n'],
  ]);
});
