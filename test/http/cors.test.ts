import { expect, test } from 'vitest';
import { serviceOf } from './service.js';

const DOCS = 'https://docs.example.com';
const SEARCH = '/v1/files/search?query=kettle';

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

const PREFLIGHT = {
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization,x-bot-id',
};

test('without origins no header of CORS is sent', async () => {
  const { ask } = await serviceOf({ boundTo: '0.0.0.0' });
  const answers = [
    await ask(SEARCH, { headers: { origin: DOCS } }),
    await ask(SEARCH, { method: 'OPTIONS', headers: { origin: DOCS, ...PREFLIGHT } }),
  ];
  expect(answers.map(({ status, headers }) => [status, corsOf(headers)])).toEqual([
    [200, {}],
    [204, {}],
  ]);
});

test.each(['127.0.0.1', '0.0.0.0'])('pages of a listed origin may call a service bound to %s', async (boundTo) => {
  const { ask, put } = await serviceOf({ boundTo, corsOrigins: ['https://other.example.com', DOCS] });
  await put('a.md', 'A kettle.');
  const { status, headers, body } = await ask(SEARCH, { headers: { origin: DOCS } });
  expect([status, body.passages.length]).toEqual([200, 1]);
  expect(corsOf(headers)).toEqual({
    'access-control-allow-origin': DOCS,
    'access-control-expose-headers':
      'x-waymark-coverage, x-request-id, retry-after, etag, content-disposition, content-range, accept-ranges, ' +
      'ratelimit-limit, ratelimit-remaining, ratelimit-reset',
    vary: 'Origin',
  });
});

test('a preflight of a listed origin needs no token, and names methods and headers', async () => {
  const { ask } = await serviceOf({ corsOrigins: [DOCS] });
  const asked = { method: 'OPTIONS', headers: { origin: DOCS, authorization: undefined, ...PREFLIGHT } };
  const { status, headers } = await ask(SEARCH, asked);
  expect([status, corsOf(headers)]).toEqual([
    204,
    {
      'access-control-allow-origin': DOCS,
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,x-bot-id',
      'access-control-max-age': '600',
      'access-control-expose-headers': expect.any(String),
      vary: 'Origin, Access-Control-Request-Headers',
    },
  ]);
});

test('pages of an unlisted origin get no header of CORS, and nothing on loopback', async () => {
  const open = await serviceOf({ boundTo: '0.0.0.0', corsOrigins: [DOCS] });
  for (const origin of ['https://docs.example.com.evil.example', 'http://docs.example.com', 'null']) {
    const { headers } = await open.ask(SEARCH, { headers: { origin } });
    expect([origin, headers.get('access-control-allow-origin')]).toEqual([origin, null]);
  }
  const local = await serviceOf({ corsOrigins: [DOCS] });
  expect(await local.ask(SEARCH, { headers: { origin: 'https://evil.example' } })).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('--cors-origin') },
  });
});

test('a refused request of a listed origin can be read by its page', async () => {
  const { ask } = await serviceOf({ corsOrigins: [DOCS] });
  const { status, headers } = await ask(SEARCH, { headers: { origin: DOCS, authorization: undefined } });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([401, DOCS]);
});

test('OPTIONS without a preflight still answers the methods of a path', async () => {
  const { ask } = await serviceOf({ corsOrigins: [DOCS] });
  const { status, headers } = await ask(SEARCH, { method: 'OPTIONS' });
  expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
});
