import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { until } from '../../support/until.js';
import { serviceOf } from '../service.js';
import { visit } from './browse.js';

const PAGES = ['/', '/file?id=a.md'];
const PARTS = ['/page/results?query=kettle', '/page/neighbour?id=a.md&at=0', '/page/search.js', '/page/search.css'];

async function servedOn(options: Parameters<typeof serviceOf>[0] = {}) {
  const service = await serviceOf(options);
  const content = '# Tea\n\nA kettle boils the water.';
  const files = await service.host.bot(service.botId);
  const { file } = await files.uploadFile({ key: 'a.md', content, index: true });
  await until(async () => (await files.getFile({ id: file.id })).file.status === 'indexing_completed');
  return service;
}

test('a browser on this machine needs no token', async () => {
  const { url } = await servedOn();
  for (const path of [...PAGES, ...PARTS]) expect([path, (await visit(url + path)).status]).toEqual([path, 200]);
});

test.each([
  ['a service bound to all addresses', { boundTo: '0.0.0.0' }, 'others can reach this service'],
  ['a service with a public URL', { publicUrl: 'https://search.example.com' }, 'others can reach this service'],
  ['a service with the page switched off', { page: false }, 'is switched off here'],
])('%s has no page, and says what to do', async (_, options, reason) => {
  const { url } = await servedOn(options);
  for (const path of [...PAGES, ...PARTS]) {
    const { status, text } = await visit(url + path);
    expect([path, status]).toEqual([path, 403]);
    expect(text).toContain(reason);
    expect(text).toContain('open it on the machine of the database with "waymark ui"');
    expect(text).not.toContain('kettle boils');
  }
});

const OTHER = 'https://evil.example';

test.each([
  ['a name that resolves to this machine', { host: 'evil.example' }],
  ['a proxy', { 'x-forwarded-for': '192.0.2.1' }],
  ['a proxy that names itself in another header', { forwarded: 'for=192.0.2.1' }],
  ['a page of another site', { origin: OTHER, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a page of another site without its origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of a hidden origin', { origin: 'null' }],
  ['a page of another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  [
    'a frame of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ],
])('%s is refused', async (_, headers) => {
  const { url } = await servedOn();
  for (const path of [...PAGES, ...PARTS]) {
    const { status, text } = await visit(url + path, headers);
    expect([path, status]).toEqual([path, 403]);
    expect(text).not.toContain('kettle boils');
  }
});

test('even a proxy that only lowers the version of HTTP is refused', async () => {
  const { url } = await servedOn();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /?query=kettle HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 403 [\s\S]*this request came through a proxy/);
});

test('an origin that may call the service with a token may not use the page', async () => {
  const { url } = await servedOn({ corsOrigins: [OTHER] });
  const headers = { origin: OTHER, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
  expect((await visit(`${url}/page/results?query=kettle`, headers)).status).toBe(403);
});

test('a link of another site opens the page, and no part of it', async () => {
  const { url } = await servedOn();
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const path of PAGES) expect((await visit(url + path, link)).status).toBe(200);
  for (const path of PARTS) expect((await visit(url + path, link)).status).toBe(403);
});

test('the page only reads: other methods are refused', async () => {
  const { ask } = await servedOn();
  for (const path of ['/', '/file', '/page/results']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect((await ask(path, { method })).status).toBe(405);
  }
});

test('every answer forbids loading from elsewhere, frames, caching and referrers', async () => {
  const { url } = await servedOn();
  for (const path of [...PAGES, ...PARTS, '/file?id=none', '/?query=kettle&tag=x']) {
    const { headers } = await visit(url + path);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  }
});

test('searches of the page count as searches: for the rate limit, the number at a time, and the log', async () => {
  let log = '';
  const { url } = await servedOn({
    logQueries: true,
    searchesAtOnce: 0,
    log: {
      write(line) {
        log += line;
      },
    },
  });
  const { status, text } = await visit(`${url}/page/results?query=kettle`);
  expect([status, text]).toEqual([503, 'Too many searches are running: try again in a moment.']);
  expect(log).toContain('"query":"kettle"');
  const limited = await serviceOf({ requestsPerMinute: 1 });
  await visit(limited.url);
  expect(await visit(limited.url)).toMatchObject({
    status: 429,
    text: expect.stringContaining('More than 1 requests'),
  });
});
