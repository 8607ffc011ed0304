import { expect, test } from 'vitest';
import type { WaymarkClient } from 'waymark';
import { wire } from './support/wire.js';

/** As a caller without types passes it. */
function untyped<T>(request: unknown): T {
  return request as T;
}

const RESERVED = 'over HTTP, which reserves that name in paths: use an id instead.';

const REFUSED: readonly (readonly [(client: WaymarkClient) => Promise<unknown>, string])[] = [
  [(client) => client.searchFiles({ query: '' }), 'query must be a non-empty string of at most 2048 bytes; it is "".'],
  [(client) => client.searchFiles({ query: 'a', limit: 51 }), 'limit must be an integer from 1 to 50; it is 51.'],
  [
    (client) => client.searchFiles({ query: 'a', consolidate: true, withContext: true }),
    'withContext is not supported with consolidate: use one of them.',
  ],
  [(client) => client.searchFiles(untyped(undefined)), 'The request must be an object; it is missing.'],
  [
    (client) => client.searchFiles({ query: 'a' }, untyped({ signal: 'now' })),
    'signal must be an AbortSignal; it is "now".',
  ],
  [(client) => client.listFiles({ pageSize: 0 }), 'pageSize must be an integer from 1 to 100; it is 0.'],
  [(client) => client.listFiles({ ids: untyped(7) }), 'ids must be a list of at most 50 ids; it is 7.'],
  [(client) => client.getFile({ id: '' }), 'id must be an id or key of 1 to 1000 characters; it is "".'],
  [(client) => client.getFile(untyped(undefined)), 'The request must be an object; it is missing.'],
  [(client) => client.getFile({ id: '..' }), `id cannot be ".." ${RESERVED}`],
  [(client) => client.deleteFile({ id: 'search' }), `id cannot be "search" ${RESERVED}`],
  [(client) => client.getFile({ id: '\ud800' }), `id cannot be "\\ud800" ${RESERVED}`],
  [
    (client) => client.listFileTagValues({ tag: '..' }),
    'tag cannot be ".." over HTTP, which reserves that name in paths: list its values in process, or rename it.',
  ],
  [(client) => client.getBot({ id: '.' }), `id cannot be "." ${RESERVED}`],
  [
    (client) => client.uploadFile({ key: 'a.md', content: untyped(7) }),
    'content must be a string or a Uint8Array; it is 7.',
  ],
  [
    (client) => client.uploadFile({ key: '', content: 'a' }),
    'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "".',
  ],
  [(client) => client.listFilePassages({ id: 'a', limit: 201 }), 'limit must be an integer from 1 to 200; it is 201.'],
  [
    (client) => client.listBots({ sortField: untyped('name') }),
    'sortField must be createdAt or updatedAt; it is "name".',
  ],
  [(client) => client.eachFile({ pageSize: 101 }).next(), 'pageSize must be an integer from 1 to 100; it is 101.'],
];

test.each(REFUSED.map(([ask, message]) => ({ ask, message })))(
  'is refused without a request: $message',
  async ({ ask, message }) => {
    const { client, lines } = await wire([]);
    await expect(ask(client)).rejects.toMatchObject({ name: 'WaymarkError', code: 'INVALID_ARGUMENT', message });
    expect(lines).toEqual([]);
  },
);

test('files need a bot, and bots a workspace', async () => {
  const { client, lines } = await wire([], { botId: undefined, workspaceId: undefined });
  await expect(client.searchFiles({ query: 'a' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'botId is missing: pass it to createClient to work with files.',
  });
  await expect(client.listBots()).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'workspaceId is missing: pass it to createClient to work with bots.',
  });
  expect(lines).toEqual([]);
});
