import { expect, test } from 'vitest';
import { createClient, type WaymarkClient } from 'waymark';
import { BOT, BOT_SUMMARY, FILE, FOUND, PASSAGE } from './support/recorded.js';
import { wire } from './support/wire.js';

const HEADERS = {
  accept: 'application/json',
  authorization: 'Bearer wm_0123456789abcdef',
  'x-bot-id': 'bot-1',
  'x-workspace-id': 'workspace-1',
};

/** An operation, its request line, and the answer. */
const READING: readonly (readonly [(client: WaymarkClient) => Promise<unknown>, string, object])[] = [
  [
    (client) => client.searchFiles({ query: 'rotate keys' }),
    'GET /v1/files/search?query=rotate+keys&contextDepth=1&limit=20&consolidate=false&includeBreadcrumb=false&withContext=false',
    { passages: [FOUND] },
  ],
  [
    (client) => client.listFiles(),
    'GET /v1/files?pageSize=20&sortField=createdAt&sortDirection=desc',
    { files: [FILE], meta: { nextToken: 'a_-b' } },
  ],
  [
    (client) =>
      client.listFiles({
        nextToken: 'a+b',
        pageSize: 2,
        sortField: 'key',
        sortDirection: 'asc',
        tags: { kind: ['guide', 'note'] },
        ids: ['file_1', 'a/b.md'],
        indexed: false,
      }),
    'GET /v1/files?nextToken=a%2Bb&pageSize=2&sortField=key&sortDirection=asc&ids=file_1&ids=a%2Fb.md&indexed=false&tags.kind=guide&tags.kind=note',
    { files: [], meta: {} },
  ],
  [(client) => client.getFile({ id: FILE.id }), `GET /v1/files/${FILE.id}`, { file: FILE }],
  [(client) => client.getFile({ id: 'folder/my file?.md' }), 'GET /v1/files/folder%2Fmy%20file%3F.md', { file: FILE }],
  [(client) => client.getFile({ id: '{id}' }), 'GET /v1/files/%7Bid%7D', { file: FILE }],
  [(client) => client.deleteFile({ id: 'a/b.md' }), 'DELETE /v1/files/a%2Fb.md', {}],
  [
    (client) => client.listFilePassages({ id: 'a/b.md', limit: 200, nextToken: 'x' }),
    'GET /v1/files/a%2Fb.md/passages?limit=200&nextToken=x',
    { passages: [PASSAGE], meta: {} },
  ],
  [(client) => client.listFileTags(), 'GET /v1/files/tags', { tags: ['kind'], meta: {} }],
  [(client) => client.listFileTags({ nextToken: 'x' }), 'GET /v1/files/tags?nextToken=x', { tags: [], meta: {} }],
  [
    (client) => client.listFileTagValues({ tag: 'a/b ü' }),
    'GET /v1/files/tags/a%2Fb%20%C3%BC/values',
    { values: ['guide'], meta: {} },
  ],
  [
    (client) => client.listBots({ dev: false, tags: { a: 'b' }, sortField: 'updatedAt', nextToken: 'x' }),
    'GET /v1/admin/bots?nextToken=x&pageSize=20&sortField=updatedAt&sortDirection=desc&dev=false&tags.a=b',
    { bots: [BOT_SUMMARY], meta: {} },
  ],
  [(client) => client.getBot({ id: BOT.id }), `GET /v1/admin/bots/${BOT.id}`, { bot: BOT }],
];

test.each(READING.map(([ask, line, body]) => ({ ask, line, body })))('asks $line', async ({ ask, line, body }) => {
  const { client, arrived } = await wire([{ body }]);
  expect(await ask(client)).toEqual(body);
  expect(arrived).toEqual([{ line, headers: HEADERS, body: '' }]);
});

test('changes are sent as JSON, including null', async () => {
  const { client, arrived } = await wire([{ body: { file: FILE } }, { body: {} }]);
  const changes = { tags: { kind: null, shelf: 'ä' }, metadata: { title: null, n: [1] }, expiresAt: null };
  expect(await client.updateFileMetadata({ id: 'a/b.md', ...changes })).toEqual({ file: FILE });
  expect(await client.setFilePassages({ id: 'a/b.md', passages: [{ content: 'One.', pageNumber: 3 }] })).toEqual({});
  expect(arrived.map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
    ['PUT /v1/files/a%2Fb.md', changes],
    ['PUT /v1/files/a%2Fb.md/passages', { passages: [{ content: 'One.', type: 'paragraph', pageNumber: 3 }] }],
  ]);
  expect(arrived[0]?.headers).toEqual({
    ...HEADERS,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(arrived[0]?.body ?? '')),
  });
});

test('the bot that a copy is for is sent as a header, if there is one', async () => {
  const { client, arrived } = await wire([{ body: { file: FILE } }, { body: { file: FILE } }]);
  const copy = { id: 'a.md', destinationKey: 'b.md' };
  await client.copyFile({ ...copy, destinationBotId: 'bot-2' });
  await client.copyFile({ ...copy, destinationBotId: undefined });
  expect(arrived.map(({ headers, body }) => [headers['x-destination-bot-id'], JSON.parse(body)])).toEqual([
    ['bot-2', { overwrite: false }],
    [undefined, { overwrite: false }],
  ]);
});

test('an apiUrl may have a path and slashes at its end', async () => {
  const { url, lines } = await wire([]);
  const behind = createClient({ apiUrl: `${url}/search//`, token: 't', botId: 'b', retries: 0 });
  await expect(behind.getFile({ id: 'a.md' })).rejects.toMatchObject({ code: 'SERVER_FAILED' });
  expect(lines).toEqual(['GET /search/v1/files/a.md']);
});

test('without a workspace no x-workspace-id is sent, without a bot no x-bot-id', async () => {
  const files = await wire([{ body: { file: FILE } }], { workspaceId: undefined });
  await files.client.getFile({ id: 'a.md' });
  expect(Object.keys(files.arrived[0]?.headers ?? {}).sort()).toEqual(['accept', 'authorization', 'x-bot-id']);
  const bots = await wire([{ body: { bot: BOT } }], { botId: undefined });
  await bots.client.getBot({ id: 'a' });
  expect(Object.keys(bots.arrived[0]?.headers ?? {}).sort()).toEqual(['accept', 'authorization', 'x-workspace-id']);
});

test('an empty list of ids lists nothing, without a request', async () => {
  const { client, lines } = await wire([]);
  expect(await client.listFiles({ ids: [] })).toEqual({ files: [], meta: {} });
  expect(lines).toEqual([]);
});

test('fields added by a newer server are kept', async () => {
  const body = { bot: { ...BOT, colour: 'red' }, more: 1 };
  const { client } = await wire([{ body }]);
  expect(await client.getBot({ id: BOT.id })).toEqual(body);
});
