import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { inMilliseconds, later } from '../support/later.js';
import { refusal, type Service, serviceOf } from './service.js';

const UNAUTHORIZED = [401, 401, 'Unauthorized'];
const FORBIDDEN = [403, 403, 'Forbidden'];
const NOT_FOUND = [404, 404, 'ResourceNotFound'];
const OTHER = '00000000-0000-4000-8000-000000000000';

const SEARCH = '/v1/files/search?query=kettle';

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

async function tokenFor(
  { host, workspaceId }: Service,
  options: Partial<Parameters<Service['host']['createToken']>[0]>,
) {
  return host.createToken({ workspaceId, name: 'one', role: 'admin', ...options });
}

/** The id of a bot in another workspace. */
async function strangerOf({ host }: Service): Promise<string> {
  const { id } = await host.createWorkspace('other');
  const {
    bot: { id: stranger },
  } = await (await host.workspace(id)).createBot({ name: 'theirs' });
  return stranger;
}

test('401: a token that is missing, malformed, unknown, revoked or expired', async () => {
  const service = await serviceOf();
  const revoked = await tokenFor(service, {});
  await service.host.revokeToken(revoked.id);
  const expired = await tokenFor(service, { expiresAt: inMilliseconds(3_600_000) });
  later(7_200_000);
  const { token } = service;
  const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const wrong = [undefined, token, 'Bearer', 'Bearer ', `Basic ${token}`, `Bearer ${altered}`, 'Bearer x'];
  for (const authorization of [...wrong, `Bearer ${revoked.token}`, `Bearer ${expired.token}`]) {
    for (const path of [SEARCH, '/v1/admin/bots', '/v1/files/x/content']) {
      expect(refusal(await service.ask(path, { headers: { authorization } }))).toEqual(UNAUTHORIZED);
    }
  }
});

test('the scheme of Authorization is case-insensitive', async () => {
  const { ask, token } = await serviceOf();
  expect((await ask(SEARCH, { headers: { authorization: `bEARER ${token}` } })).status).toBe(200);
});

test("401: a workspace that is missing, unknown, or not the token's", async () => {
  const { ask, host } = await serviceOf();
  const { id } = await host.createWorkspace('other');
  for (const workspace of [undefined, '', OTHER, 'acme', id]) {
    const refused = await ask('/v1/admin/bots', { headers: { 'x-workspace-id': workspace } });
    expect(refusal(refused)).toEqual(UNAUTHORIZED);
  }
});

test("401: an operation on files with a workspace that is not the token's", async () => {
  const { ask, host } = await serviceOf();
  const { id } = await host.createWorkspace('other');
  expect(refusal(await ask(SEARCH, { headers: { 'x-workspace-id': id } }))).toEqual(UNAUTHORIZED);
  expect((await ask(SEARCH, { headers: { 'x-workspace-id': undefined } })).status).toBe(200);
});

test('403: operations that the role of the token does not permit', async () => {
  const service = await serviceOf();
  await service.put('a.md', 'A kettle.');
  const status = async (
    role: 'admin' | 'member' | 'search',
    [method, path, body]: readonly [string, string, object?],
  ) => {
    const headers = bearer((await tokenFor(service, { role })).token);
    return (await service.ask(path, { method, headers, body })).status;
  };
  const rows = [
    ['GET', SEARCH],
    ['GET', '/v1/files/a.md/content'],
    ['GET', '/v1/files'],
    ['GET', '/v1/files/a.md'],
    ['GET', '/v1/files/a.md/passages'],
    ['GET', '/v1/files/tags'],
    ['GET', '/v1/files/tags/kind/values'],
    ['PUT', '/v1/files', { key: 'b.md', size: 1 }],
    ['PUT', '/v1/files/a.md', { tags: {} }],
    ['PUT', '/v1/files/a.md/passages', { passages: [] }],
    ['POST', '/v1/files/a.md/copy.md', { overwrite: true }],
    ['GET', '/v1/files/knowledge-bases'],
    ['POST', '/v1/files/knowledge-bases', { name: 'a' }],
    ['GET', '/v1/admin/bots'],
    ['GET', `/v1/admin/bots/${service.botId}`],
    ['POST', '/v1/admin/bots', {}],
    ['PUT', `/v1/admin/bots/${service.botId}`, {}],
  ] as const;
  const table = [];
  for (const row of rows) {
    table.push([
      `${row[0]} ${row[1].split('?')[0]}`,
      await status('search', row),
      await status('member', row),
      await status('admin', row),
    ]);
  }
  expect(table).toEqual([
    ['GET /v1/files/search', 200, 200, 200],
    ['GET /v1/files/a.md/content', 200, 200, 200],
    ['GET /v1/files', 403, 200, 200],
    ['GET /v1/files/a.md', 403, 200, 200],
    ['GET /v1/files/a.md/passages', 403, 200, 200],
    ['GET /v1/files/tags', 403, 200, 200],
    ['GET /v1/files/tags/kind/values', 403, 200, 200],
    ['PUT /v1/files', 403, 200, 200],
    ['PUT /v1/files/a.md', 403, 200, 200],
    ['PUT /v1/files/a.md/passages', 403, 200, 200],
    ['POST /v1/files/a.md/copy.md', 403, 200, 200],
    ['GET /v1/files/knowledge-bases', 403, 200, 200],
    ['POST /v1/files/knowledge-bases', 403, 200, 200],
    ['GET /v1/admin/bots', 403, 403, 200],
    [`GET /v1/admin/bots/${service.botId}`, 403, 403, 200],
    ['POST /v1/admin/bots', 403, 403, 200],
    [`PUT /v1/admin/bots/${service.botId}`, 403, 403, 200],
  ]);
  const headers = bearer((await tokenFor(service, { role: 'search' })).token);
  expect(refusal(await service.ask('/v1/files/a.md', { method: 'DELETE', headers, body: {} }))).toEqual(FORBIDDEN);
});

test('403: a token of one bot used for another, in its workspace or not', async () => {
  const service = await serviceOf();
  const { host, workspaceId, botId, ask } = service;
  const {
    bot: { id: sibling },
  } = await (await host.workspace(workspaceId)).createBot({ name: 'sales' });
  const stranger = await strangerOf(service);
  const headers = bearer((await tokenFor(service, { role: 'member', bots: [botId] })).token);
  const status = async (bot: string) => refusal(await ask(SEARCH, { headers: { ...headers, 'x-bot-id': bot } }));
  expect((await ask(SEARCH, { headers })).status).toBe(200);
  expect(await status(sibling)).toEqual(FORBIDDEN);
  expect(await status(stranger)).toEqual(FORBIDDEN);
});

test('a file is copied to a bot that the token permits only', async () => {
  const service = await serviceOf();
  const { ask, host, workspaceId, botId } = service;
  await service.put('a.md', 'A kettle.');
  const { bot } = await (await host.workspace(workspaceId)).createBot({ name: 'sales' });
  const copy = async (token: string, destination: string) => {
    const headers = { ...bearer(token), 'x-destination-bot-id': destination };
    return ask('/v1/files/a.md/b.md', { method: 'POST', headers, body: {} });
  };
  const { token } = await tokenFor(service, { role: 'member', bots: [botId] });
  expect(refusal(await copy(token, bot.id))).toEqual(FORBIDDEN);
  const { token: wider } = await tokenFor(service, { role: 'member' });
  expect((await copy(wider, bot.id)).body.file).toMatchObject({ key: 'b.md', botId: bot.id });
  for (const stranger of [await strangerOf(service), OTHER, 'sales']) {
    expect(refusal(await copy(wider, stranger))).toEqual(NOT_FOUND);
  }
});

test('a bot of another workspace is answered like one that does not exist', async () => {
  const service = await serviceOf();
  const { ask } = service;
  const stranger = await strangerOf(service);
  for (const path of [SEARCH, '/v1/admin/bots']) {
    const theirs = await ask(path, { headers: { 'x-bot-id': stranger } });
    const nobodys = await ask(path, { headers: { 'x-bot-id': OTHER } });
    expect(refusal(theirs)).toEqual(NOT_FOUND);
    expect({ ...theirs.body, id: '' }).toEqual({ ...nobodys.body, id: '', message: theirs.body.message });
    expect(theirs.body.message.replace(stranger, OTHER)).toBe(nobodys.body.message);
  }
});

test('an administrator of some bots cannot see others', async () => {
  const service = await serviceOf();
  const { ask, host, workspaceId, botId } = service;
  const {
    bot: { id: sibling },
  } = await (await host.workspace(workspaceId)).createBot({ name: 'sales' });
  const headers = bearer((await tokenFor(service, { bots: [botId] })).token);
  const { bots } = (await ask('/v1/admin/bots', { headers })).body;
  expect(bots.map(({ id }: { id: string }) => id)).toEqual([botId]);
  for (const id of [sibling, 'sales']) {
    expect(refusal(await ask(`/v1/admin/bots/${id}`, { headers }))).toEqual(NOT_FOUND);
    for (const method of ['PUT', 'DELETE']) {
      expect(refusal(await ask(`/v1/admin/bots/${id}`, { method, headers, body: {} }))).toEqual(NOT_FOUND);
    }
  }
  expect(refusal(await ask('/v1/admin/bots', { method: 'POST', headers, body: {} }))).toEqual(FORBIDDEN);
});

test('404: a bot that does not exist, in a header or a path, by id or name', async () => {
  const { ask } = await serviceOf();
  for (const bot of [OTHER, 'support', '../x']) {
    expect(refusal(await ask(SEARCH, { headers: { 'x-bot-id': bot } }))).toEqual(NOT_FOUND);
  }
  expect(refusal(await ask(`/v1/admin/bots/${OTHER}`))).toEqual(NOT_FOUND);
});

test('a bot is named by its id in x-bot-id: the answer to its name says so', async () => {
  const { ask } = await serviceOf();
  const named = await ask(SEARCH, { headers: { 'x-bot-id': 'support' } });
  const unknown = await ask(SEARCH, { headers: { 'x-bot-id': 'nothing' } });
  const message = 'There is no bot "support": pass an id that listBots, or "waymark bot list", shows.';
  expect([named.body.message, unknown.body.message]).toEqual([message, message.replace('support', 'nothing')]);
});

test('a bot is not reached by a name that looks like an id, whoever else has such a bot', async () => {
  const { ask, host, workspaceId } = await serviceOf();
  const workspaces = [workspaceId, (await host.createWorkspace('b')).id, (await host.createWorkspace('c')).id];
  for (const id of workspaces) {
    await (await host.workspace(id)).createBot({ name: OTHER });
    expect(refusal(await ask(SEARCH, { headers: { 'x-bot-id': OTHER } }))).toEqual(NOT_FOUND);
  }
});

test('a bot that is deleted while a request arrives is not replaced by one that is named like it', async () => {
  const { url, host, botId, token } = await serviceOf();
  const { id } = await host.createWorkspace('other');
  const { bot } = await (await host.workspace(id)).createBot({ name: botId });
  const body = JSON.stringify({ key: 'a.md', size: 1 });
  const headers = { ...bearer(token), 'x-bot-id': botId, 'content-type': 'application/json' };
  const asked = request(`${url}/v1/files`, {
    method: 'PUT',
    headers: { ...headers, 'content-length': body.length, expect: '100-continue' },
  });
  asked.flushHeaders();
  await once(asked, 'continue');
  await (await host.workspace()).deleteBot({ id: botId });
  const answered = once(asked, 'response');
  asked.end(body);
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(404);
  expect((await (await host.bot(bot.id)).listFiles()).files).toEqual([]);
});

test('bots of another workspace are neither listed nor returned', async () => {
  const service = await serviceOf();
  const { ask, botId } = service;
  const stranger = await strangerOf(service);
  const { bots } = (await ask('/v1/admin/bots')).body;
  expect(bots.map(({ id }: { id: string }) => id)).toEqual([botId]);
  expect(refusal(await ask(`/v1/admin/bots/${stranger}`))).toEqual(NOT_FOUND);
});

test('400: x-bot-id missing', async () => {
  const { ask } = await serviceOf();
  const refused = await ask(SEARCH, { headers: { 'x-bot-id': undefined } });
  expect(refusal(refused)).toEqual([400, 400, 'InvalidQuery']);
  expect(refused.body.message).toBe('The header x-bot-id is missing: send the id of a bot.');
});

test('authorization fails before the request is read', async () => {
  const { ask } = await serviceOf();
  const headers = { authorization: undefined };
  expect(refusal(await ask('/v1/files/search', { headers }))).toEqual(UNAUTHORIZED);
  expect(refusal(await ask('/v1/files', { method: 'PUT', headers, body: 'no JSON' }))).toEqual(UNAUTHORIZED);
});
