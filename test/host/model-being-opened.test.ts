import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type Abortable, type BotFiles, createHashEmbedder, type Host, openHost } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import { folderOf } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { newBot } from '../support/new-bot.js';
import { atSilentHub } from '../support/silent-hub.js';

const HOUR = 3_600_000;

/** A host that is closed when the test has finished. */
async function hostOver(database: string): Promise<Host> {
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  return host;
}

/** A host with a bot whose model is at a hub that never answers. `asked` resolves when the hub is asked for it. */
async function withModelAtSilentHub() {
  const database = path.join(folderOf(), 'waymark.db');
  const former = await hostOver(database);
  const { botId, workspaceId, files } = await newBot(former);
  const stored = await files.uploadFile({ key: 'a.md', content: 'apples' });
  const { file } = await files.upsertFile({ key: 'b.md', size: 3, contentType: 'text/markdown' });
  await former.close();
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  await atSilentHub(database, () => onAsked());
  return {
    host: await hostOver(database),
    database,
    botId,
    workspaceId,
    asked,
    secret: path.posix.basename(file.uploadUrl),
    address: stored.file.url ?? '',
  };
}

test.each<[string, (host: Host, ids: { botId: string; workspaceId: string }, options: Abortable) => Promise<unknown>]>([
  ['bot', (host, { botId }, options) => host.bot(botId, options)],
  [
    'deleteBot',
    async (host, { botId, workspaceId }, options) =>
      (await host.workspace(workspaceId)).deleteBot({ id: botId }, options),
  ],
])('a signal ends %s while the model of the bot is opened', async (_, call) => {
  const { host, asked, ...ids } = await withModelAtSilentHub();
  const stop = new AbortController();
  const called = expect(call(host, ids, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  await asked;
  stop.abort();
  await called;
});

test('closing a host ends the call that waits for a model to be opened', async () => {
  const { host, asked, botId } = await withModelAtSilentHub();
  const called = expect(host.bot(botId)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await asked;
  await host.close();
  await called;
});

test('a bot is not deleted by a host that is closed while the model of the bot is opened', async () => {
  const { host, database, asked, ...ids } = await withModelAtSilentHub();
  const deleted = (await host.workspace(ids.workspaceId)).deleteBot({ id: ids.botId });
  const refused = expect(deleted).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await asked;
  await host.close();
  await refused;
  const bots = (await (await hostOver(database)).workspace(ids.workspaceId)).listBots({});
  expect((await bots).bots.map(({ id }) => id)).toEqual([ids.botId]);
});

test('why an upload failed is recorded while the model of its bot is opened', async () => {
  const { host, secret } = await withModelAtSilentHub();
  expect(await host.failUpload(secret, 'The connection ended.')).toBeUndefined();
});

test('the content of a file is read at its address while the model of its bot is opened', async () => {
  const { host, address } = await withModelAtSilentHub();
  const app = await createServer(host, {});
  onTestFinished(() => app.close());
  const { statusCode, body } = await app.inject({ url: address });
  expect([statusCode, body]).toEqual([200, 'apples']);
});

/** The files of a bot that is open, with an expired file, and whose model is replaced by one at a silent hub. */
async function withReplacedModel(onAsked: () => void) {
  const database = path.join(folderOf(), 'waymark.db');
  const host = await hostOver(database);
  const { workspaceId, botId, files } = await newBot(host);
  const { bot: other } = await (await host.workspace(workspaceId)).createBot({ name: 'other' });
  await files.uploadFile({ key: 'expired.md', content: 'apples', index: false, expiresAt: inMilliseconds(HOUR) });
  later(2 * HOUR);
  await atSilentHub(database, onAsked);
  const connection = new Sqlite(database);
  connection.prepare(`UPDATE models SET fingerprint = 'another'`).run();
  connection.close();
  return { files, botId, otherFiles: await host.bot(other.id) };
}

test.each<[string, (files: BotFiles, options: Abortable) => Promise<unknown>]>([
  ['searchFiles', (files, options) => files.searchFiles({ query: 'apples' }, options)],
  ['content', (files, options) => files.content('a.md', options)],
  ['upsertFile', (files, options) => files.upsertFile({ key: 'expired.md', size: 1 }, options)],
  [
    'uploadFile over an expired file',
    (files, options) => files.uploadFile({ key: 'expired.md', content: 'pears', index: true }, options),
  ],
  [
    'uploadFile without index',
    (files, options) => files.uploadFile({ key: 'a.md', content: 'pears', index: false }, options),
  ],
  ['listKnowledgeBases', (files, options) => files.listKnowledgeBases({}, options)],
  ['createKnowledgeBase', (files, options) => files.createKnowledgeBase({ name: 'fruit' }, options)],
  ['updateKnowledgeBase', (files, options) => files.updateKnowledgeBase({ id: 'kb_1', name: 'fruit' }, options)],
  ['deleteKnowledgeBase', (files, options) => files.deleteKnowledgeBase({ id: 'kb_1' }, options)],
])('%s ends with its signal while another model of its bot is opened', async (_, call) => {
  const stop = new AbortController();
  const { files } = await withReplacedModel(() => stop.abort());
  await expect(call(files, { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a copy ends with its signal while the model of its destination is opened', async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const { otherFiles, botId } = await withReplacedModel(() => stop.abort());
  await otherFiles.uploadFile({ key: 'a.md', content: 'pears', index: false });
  const copying = otherFiles.copyFile({ id: 'a.md', destinationKey: 'a.md', destinationBotId: botId }, { signal });
  await expect(copying).rejects.toMatchObject({ code: 'ABORTED' });
});

test.each([
  ['a request', '/v1/files'],
  ['a content', '/v1/files/a.md/content'],
  ['the search page', '/?query=apples'],
  ['a part of the page', '/page/results?query=apples'],
])('%s is answered in time while the model of its bot is opened', async (_, url) => {
  const { host, botId, workspaceId } = await withModelAtSilentHub();
  const { token } = await host.createToken({ workspaceId, name: 'test', role: 'member' });
  const app = await createServer(host, { answerTimeout: 1 });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
  const { statusCode, body } = await app.inject({ url, headers });
  expect([statusCode, body]).toEqual([504, expect.stringContaining('The answer took too long: try again')]);
});

test('searches that wait for a model to be opened do not count as running', async () => {
  const { host, botId, workspaceId } = await withModelAtSilentHub();
  const { token } = await host.createToken({ workspaceId, name: 'test', role: 'member' });
  const app = await createServer(host, { answerTimeout: 1 });
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
  const search = () => app.inject({ url: '/v1/files/search?query=apples', headers });
  const answers = await Promise.all(Array.from({ length: 150 }, search));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([504]));
});
