import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyDatabase, createHashEmbedder, type Host, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';

const model = createHashEmbedder();

test('a workspace that was renamed in the target stays separate from one that took its former name', async () => {
  const { to, host, workspaceId, copy } = await databases();
  const { token } = await host.createToken({ workspaceId, name: 'ci', role: 'admin' });
  await host.close();
  await copy();
  const target = await openHost({ database: to, model });
  await (await target.workspace(workspaceId)).updateWorkspace({ id: workspaceId, name: 'former' });
  const { workspaceId: other } = await newBot(target);
  await target.close();
  expect((await copy()).notes).toEqual([
    `${to} has another workspace "acme": the copied one keeps the name that it has there, "former".`,
  ]);
  const opened = await openedHost(to);
  expect((await opened.listWorkspaces()).map(({ id, name }) => ({ id, name }))).toEqual([
    { id: workspaceId, name: 'former' },
    { id: other, name: 'acme' },
  ]);
  expect(await opened.authenticate(token)).toMatchObject({ workspaceId });
});

test('in a workspace that has other bots, a token gives access only to the bots that it did before', async () => {
  const { to, host, workspaceId, botId, copy } = await databases();
  const { token } = await host.createToken({ workspaceId, name: 'ci', role: 'admin' });
  await host.close();
  const target = await openHost({ database: to, model });
  const { id: other } = await target.createWorkspace('acme');
  await (await target.workspace(other)).createBot({ name: 'secret' });
  await target.close();
  await copy();
  expect(await (await openedHost(to)).authenticate(token)).toMatchObject({ workspaceId: other, bots: [botId] });
});

test('a token for all bots of a workspace without bots is not copied into another workspace', async () => {
  const { to, host, copy } = await databases();
  const { id: workspaceId } = await host.createWorkspace('lab');
  const { token } = await host.createToken({ workspaceId, name: 'ci', role: 'admin' });
  await host.close();
  const target = await openHost({ database: to, model });
  const { id: other } = await target.createWorkspace('lab');
  await (await target.workspace(other)).createBot({ name: 'secret' });
  await target.close();
  expect((await copy()).notes).toContain(
    'The access token "ci" was not copied: it is for all bots of a workspace that has none.',
  );
  expect(await (await openedHost(to)).authenticate(token)).toBeUndefined();
});

/** A database with the bot `support` in the workspace `acme`, and the place of its copy. */
async function databases() {
  const folder = folderOf();
  const [from, to] = [path.join(folder, 'from.db'), path.join(folder, 'to.db')];
  const host = await openHost({ database: from, model });
  const { workspaceId, botId } = await newBot(host);
  const copy = () => copyDatabase({ from: { database: from }, to: { database: to }, model });
  return { to, host, workspaceId, botId, copy };
}

/** A host that is closed after the test. */
async function openedHost(database: string): Promise<Host> {
  const host = await openHost({ database, model });
  onTestFinished(() => host.close());
  return host;
}
