import { expect, test } from 'vitest';
import type { WaymarkClient } from 'waymark';
import { refused } from './support/recorded.js';
import { TOKEN, wire } from './support/wire.js';

type Ask = (client: WaymarkClient) => Promise<unknown>;

const search: Ask = (client) => client.searchFiles({ query: 'a' });
const getFile: Ask = (client) => client.getFile({ id: 'a.md' });
const setPassages: Ask = (client) => client.setFilePassages({ id: 'a.md', passages: [] });
const getBot: Ask = (client) => client.getBot({ id: 'a' });
const getWorkspace: Ask = (client) => client.getWorkspace({ id: 'a' });
const deleteKnowledgeBase: Ask = (client) => client.deleteKnowledgeBase({ id: 'a' });

const REFUSALS: readonly (readonly [code: string, Ask, Parameters<typeof refused>])[] = [
  ['INVALID_ARGUMENT', search, [400, { type: 'InvalidQuery', message: 'tags must be an object.' }]],
  ['INVALID_ARGUMENT', setPassages, [400, { type: 'InvalidPayload', message: 'passages must be a list.' }]],
  ['INVALID_ARGUMENT', getFile, [400, { type: 'InvalidIdentifier', message: 'Encode it.' }]],
  ['INVALID_ARGUMENT', setPassages, [413, { type: 'PayloadTooLarge', message: 'At most 1 MB.' }]],
  ['INVALID_ARGUMENT', search, [431, { type: 'LimitExceeded', message: 'The headers are too long.' }]],
  ['UNAUTHORIZED', search, [401, { type: 'Unauthorized', message: 'The token is unknown.' }]],
  ['FORBIDDEN', getFile, [403, { type: 'Forbidden', message: 'Use another token.' }]],
  ['BOT_MISSING', search, [404, { type: 'ResourceNotFound', message: 'There is no bot.' }]],
  ['FILE_MISSING', getFile, [404, { type: 'ResourceNotFound', message: 'There is no file.' }]],
  ['FILE_MISSING', setPassages, [404, { type: 'ResourceNotFound', message: 'There is no file.' }]],
  ['BOT_MISSING', getBot, [404, { type: 'ResourceNotFound', message: 'There is no bot.' }]],
  ['WORKSPACE_MISSING', getWorkspace, [404, { type: 'ResourceNotFound', message: 'There is no workspace.' }]],
  ['KNOWLEDGE_BASE_MISSING', deleteKnowledgeBase, [404, { type: 'ResourceNotFound', message: 'There is none.' }]],
  ['FORBIDDEN', getFile, [403, { type: 'Forbidden', message: 'Not yours.', metadata: { code: 'FILE_MISSING' } }]],
  [
    'BOT_MISSING',
    getFile,
    [404, { type: 'ResourceNotFound', message: 'There is no bot.', metadata: { code: 'BOT_MISSING' } }],
  ],
  [
    'FILE_MISSING',
    getFile,
    [404, { type: 'ResourceNotFound', message: 'There is no file.', metadata: { code: 'OTHER', more: 1 } }],
  ],
  ['SERVER_FAILED', search, [405, { type: 'MethodNotFound', message: 'Only GET.' }]],
  ['SERVER_FAILED', search, [500, { type: 'Internal', message: 'The service failed; its log says why.' }]],
  ['SERVER_FAILED', setPassages, [503, { type: 'Internal', message: 'Come back later.' }]],
  ['BUSY', setPassages, [503, { type: 'Internal', message: 'Another writes.', metadata: { code: 'BUSY' } }]],
  [
    'CLUSTER_UNAVAILABLE',
    setPassages,
    [503, { type: 'Internal', message: 'It does not answer.', metadata: { code: 'CLUSTER_UNAVAILABLE' } }],
  ],
  ['SERVER_FAILED', search, [418, { type: 'toString', message: 'A type that nobody knows.' }]],
];

test.each(REFUSALS.map(([code, ask, answer]) => ({ code, ask, answer, type: answer[1].type })))(
  "$type is $code, with the server's message and its body as cause",
  async ({ code, ask, answer }) => {
    const { client } = await wire([refused(...answer)], { retries: 0 });
    await expect(ask(client)).rejects.toMatchObject({
      name: 'WaymarkError',
      code,
      message: answer[1].message,
      cause: { id: 'err_1', code: answer[0], ...answer[1] },
    });
  },
);

test('the type decides, not the status', async () => {
  const { type, message } = { type: 'Forbidden', message: 'No.' };
  const { client } = await wire([{ status: 400, body: { id: 'err_1', code: 403, type, message } }]);
  await expect(search(client)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a token that the server repeats is in neither message nor cause', async () => {
  const { client } = await wire([refused(401, { type: 'Unauthorized', message: `The token ${TOKEN} is unknown.` })]);
  await expect(search(client)).rejects.toMatchObject({
    message: 'The token [token] is unknown.',
    cause: { message: 'The token [token] is unknown.' },
  });
});

test('a refusal without the error body of the contract is one sentence with the next step', async () => {
  const told: [number, string | object, string, string][] = [
    [
      404,
      '<html>',
      'RESPONSE_INVALID',
      'answered 404 without a reason: check that apiUrl is the address of a Waymark server.',
    ],
    [
      401,
      { error: 'no' },
      'RESPONSE_INVALID',
      'answered 401 without a reason: check that apiUrl is the address of a Waymark server.',
    ],
    [502, '<html>', 'SERVER_FAILED', 'answered 502 without a reason: see its log, or try again later.'],
    [300, '', 'RESPONSE_INVALID', 'redirects to another address (300): pass that address as apiUrl.'],
    [301, '', 'RESPONSE_INVALID', 'redirects to another address (301): pass that address as apiUrl.'],
    [
      400,
      '',
      'RESPONSE_INVALID',
      'answered 400 without a reason: check that apiUrl is the address of a Waymark server.',
    ],
  ];
  for (const [status, body, code, end] of told) {
    const { client, url, lines } = await wire([{ status, headers: { location: '/other' }, body }], { retries: 0 });
    await expect(search(client)).rejects.toMatchObject({ code, message: `The server at ${url} ${end}` });
    expect(lines.length).toBe(1);
  }
});

test('a proxy that refuses for the rate, the size or the time is told from a wrong address', async () => {
  const told: [number, string, string][] = [
    [408, 'SERVER_FAILED', ' answered 408 without a reason: see its log, or try again later.'],
    [
      413,
      'INVALID_ARGUMENT',
      ', or a proxy before it, refuses content of this size (413): raise its limit, or send less.',
    ],
    [429, 'RATE_LIMITED', ', or a proxy before it, limits requests (429): send fewer at once.'],
  ];
  for (const [status, code, end] of told) {
    const { client, url } = await wire([{ status, body: '<html>' }], { retries: 0 });
    await expect(setPassages(client)).rejects.toMatchObject({
      code,
      message: `The server at ${url}${end}`,
    });
  }
});

test('a request that a proxy finds too long is an argument error', async () => {
  const { client, url } = await wire([{ status: 414, body: '<html>' }]);
  await expect(search(client)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: `The request is longer than the server at ${url} accepts: pass fewer tags or ids.`,
  });
});

test.each([
  ['ENOTFOUND', ' (ENOTFOUND)'],
  ['a code with spaces', ''],
  ['EX: a secret', ''],
  ['a secret EX', ''],
  [7, ''],
])('a connection that fails with the code %j is described with "%s"', async (code, described) => {
  const { client, url } = await wire([], {
    retries: 0,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code } })),
  });
  await expect(search(client)).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: `The server at ${url} cannot be reached${described}: check that it runs (waymark serve) and that apiUrl is its address.`,
    cause: { message: 'fetch failed' },
  });
});

test('a request that is too long for a server is an argument error', async () => {
  const tags = { kbId: Array.from({ length: 1000 }, (_, i) => `knowledge base ${i} of many with long names`) };
  const { client, url } = await wire([]);
  await expect(client.searchFiles({ query: 'a', tags })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: `The request is longer than the server at ${url} accepts: pass fewer tags or ids.`,
  });
});
