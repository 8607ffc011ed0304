import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  type BotOperations,
  type ClientOptions,
  createClient,
  type FileOperations,
  type FileSearch,
  type WaymarkClient,
} from 'waymark';

const OPTIONS = { apiUrl: 'http://127.0.0.1:7333', token: 'wm_secret', botId: 'b', workspaceId: 'w' };

const API_URL =
  'apiUrl must be an http or https address without user, query or fragment, such as http://127.0.0.1:7333.';
const TOKEN = 'token must be a string of letters, digits and -._~+/=, as "waymark token create" prints it.';
const ID = 'an id of 1 to 100 ASCII characters without spaces';

const REFUSED: readonly (readonly [object, string])[] = [
  [{ apiUrl: undefined }, API_URL],
  [{ apiUrl: '127.0.0.1:7333' }, API_URL],
  [{ apiUrl: 'ftp://a' }, API_URL],
  [{ apiUrl: ['http://a'] }, API_URL],
  [{ apiUrl: 'http://user:password@a' }, API_URL],
  [{ apiUrl: 'http://user@a' }, API_URL],
  [{ apiUrl: 'http://:password@a' }, API_URL],
  [{ apiUrl: 'http://a?b=c' }, API_URL],
  [{ apiUrl: 'http://a#b' }, API_URL],
  [{ token: undefined }, TOKEN],
  [{ token: '' }, TOKEN],
  [{ token: 'wm secret' }, TOKEN],
  [{ token: 'wm_secret\n' }, TOKEN],
  [{ token: 7 }, TOKEN],
  [{ botId: 'a b' }, `botId must be ${ID}; it is "a b".`],
  [{ workspaceId: '' }, `workspaceId must be ${ID}; it is "".`],
  [{ timeout: 0 }, 'timeout must be an integer of milliseconds from 1 to 2147483647; it is 0.'],
  [{ retries: 11 }, 'retries must be an integer from 0 to 10; it is 11.'],
  [{ fetch: 'fetch' }, 'fetch must be a function like the global fetch; it is "fetch".'],
];

test.each(REFUSED)('%j is refused: %s', (fields, message) => {
  expect(() => createClient({ ...OPTIONS, ...fields } as ClientOptions)).toThrow(
    expect.objectContaining({ name: 'WaymarkError', code: 'INVALID_ARGUMENT', message }),
  );
});

test('printing a client reveals no token', () => {
  const client = createClient(OPTIONS);
  expect([inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client)].join()).not.toContain('secret');
});

test('a fetch function in the options replaces the global one', async () => {
  const asked: string[] = [];
  const client = createClient({
    ...OPTIONS,
    async fetch(url) {
      asked.push(String(url));
      return Response.json({ tags: ['kind'], meta: {} });
    },
  });
  expect(await client.listFileTags()).toEqual({ tags: ['kind'], meta: {} });
  expect(asked).toEqual(['http://127.0.0.1:7333/v1/files/tags']);
});

test('a client serves wherever files, bots and knowledge are needed', () => {
  const client: WaymarkClient = createClient(OPTIONS);
  const files: FileOperations = client;
  const bots: BotOperations = client;
  const search: FileSearch = client;
  expect([files, bots, search]).toEqual([client, client, client]);
});
