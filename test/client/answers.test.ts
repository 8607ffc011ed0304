import { expect, test } from 'vitest';
import type { WaymarkClient } from 'waymark';
import { BOT, FILE, FOUND } from './support/recorded.js';
import { wire } from './support/wire.js';

/** An answer, and where it breaks the contract. */
const INVALID: readonly (readonly [(client: WaymarkClient) => Promise<unknown>, object | string, string, string])[] = [
  [(client) => client.searchFiles({ query: 'a' }), '<html></html>', 'GET /v1/files/search', 'not a JSON object'],
  [(client) => client.searchFiles({ query: 'a' }), [], 'GET /v1/files/search', 'not a JSON object'],
  [(client) => client.searchFiles({ query: 'a' }), {}, 'GET /v1/files/search', 'passages'],
  [
    (client) => client.searchFiles({ query: 'a' }),
    { passages: [FOUND, { ...FOUND, score: null }] },
    'GET /v1/files/search',
    'passages.1.score',
  ],
  [
    (client) => client.searchFiles({ query: 'a' }),
    { passages: [{ ...FOUND, file: { ...FOUND.file, key: 7 } }] },
    'GET /v1/files/search',
    'passages.0.file.key',
  ],
  [(client) => client.listFiles(), { files: [FILE] }, 'GET /v1/files', 'meta'],
  [(client) => client.listFiles(), { files: [FILE], meta: { nextToken: 7 } }, 'GET /v1/files', 'meta.nextToken'],
  [(client) => client.getFile({ id: 'a/b' }), { file: null }, 'GET /v1/files/a%2Fb', 'file'],
  [(client) => client.getBot({ id: 'a' }), { bot: { ...BOT, id: undefined } }, 'GET /v1/admin/bots/a', 'bot.id'],
  [(client) => client.getBot({ id: 'a' }), { bot: { ...BOT, status: 'asleep' } }, 'GET /v1/admin/bots/a', 'bot.status'],
  [(client) => client.deleteFile({ id: 'a' }), '', 'DELETE /v1/files/a', 'not a JSON object'],
];

test.each(INVALID.map(([ask, body, line, where]) => ({ ask, body, line, where })))(
  'an answer to $line that breaks the contract is an error: $where',
  async ({ ask, body, line, where }) => {
    const { client, url } = await wire([{ body }]);
    await expect(ask(client)).rejects.toMatchObject({
      name: 'WaymarkError',
      code: 'RESPONSE_INVALID',
      message: `The answer of the server at ${url} to ${line} breaks the contract (${where}): check that apiUrl is the address of a Waymark server of this version.`,
    });
  },
);

test('an answer of more than 64 MB is not read to its end', async () => {
  const { client, url } = await wire([{ body: 'x'.repeat((64 << 20) + 1) }]);
  await expect(client.searchFiles({ query: 'a' })).rejects.toMatchObject({
    code: 'RESPONSE_INVALID',
    message: `The server at ${url} answered with more than 64 MB: check that apiUrl is the address of a Waymark server.`,
  });
});
