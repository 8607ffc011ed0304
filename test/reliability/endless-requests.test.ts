import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from 'waymark';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';
import { Party } from './histories/party.js';
import { statusesOf } from './raw-http.js';
import { tell, times } from './torture.js';

const CHUNK = `10000\r\n${' '.repeat(0x10000)}\r\n`;

/** A request that never ends by itself: how it begins, what follows again and again, and how it may be answered. */
interface Endless {
  readonly what: string;
  readonly begin: string;
  readonly more: string;
  readonly answered: readonly (readonly number[])[];
}

function endlessRequests(own: string): readonly Endless[] {
  const json = `Host: localhost\r\n${own}Content-Type: application/json\r\n`;
  return [
    {
      what: 'headers',
      begin: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n',
      more: `X-A: ${'a'.repeat(999)}\r\n`,
      answered: [[431]],
    },
    { what: 'a header', begin: 'GET /healthz HTTP/1.1\r\nX-A: ', more: 'a'.repeat(1000), answered: [[431]] },
    { what: 'an address', begin: 'GET /', more: 'a'.repeat(1000), answered: [[431], [414]] },
    { what: 'a method', begin: 'GE', more: 'E'.repeat(1000), answered: [[400]] },
    {
      what: 'chunks',
      begin: `PUT /v1/files HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
      more: CHUNK,
      answered: [[413]],
    },
    {
      what: 'chunks of an unknown upload',
      begin: `PUT /v1/uploads/no HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`,
      more: CHUNK,
      answered: [[404]],
    },
    {
      what: 'a chunk extension',
      begin: `PUT /v1/files HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n1;`,
      more: 'a'.repeat(1000),
      answered: [[413], [400]],
    },
  ];
}

/** Sends until there is an answer or the connection is closed; returns what arrived. */
async function insist(port: number, { begin, more }: Endless): Promise<string> {
  const socket = await opened(port);
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.write(begin);
  while (text === '' && !socket.closed) {
    if (!socket.writableNeedDrain) socket.write(more);
    await setImmediate();
  }
  socket.destroy();
  return text;
}

/** Asks again and again, fewer times than there may be searches at once, and reads no answer. */
async function ignore(port: number, request: string): Promise<void> {
  const socket = await opened(port);
  for (let i = 0; i < 50 && !socket.writableNeedDrain; i += 1) socket.write(request);
}

/** A connection that is closed when the test finishes. */
async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Writing to a closed connection fails, which is what the tests wait for.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** A service in a process of its own, with a client and the headers of its bot. */
async function served() {
  const service = new Party('service', path.join(folderOf(), 'waymark.db'));
  onTestFinished(() => service.end());
  const { url, token } = await service.ready;
  await service.call('createBot');
  const botId = await service.call('idOf', 'other');
  const client = createClient({ apiUrl: url, token, botId, retries: 0 });
  const own = `Authorization: Bearer ${token}\r\nX-Bot-Id: ${botId}\r\n`;
  return { service, client, own, port: Number(new URL(url).port) };
}

test('requests without an end are refused; others are served meanwhile, and while answers are unread', async () => {
  const { service, client, own, port } = await served();
  await client.uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  await until(async () => (await service.call('pending')) === 0);
  const requests = endlessRequests(own);
  const each = times(1, 20);
  await ignore(port, `GET /v1/files/search?query=kettle HTTP/1.1\r\nHost: localhost\r\n${own}\r\n`);
  for (const request of requests) {
    const sent = Promise.all(Array.from({ length: each }, () => insist(port, request)));
    const { passages } = await client.searchFiles({ query: 'kettle' });
    expect([request.what, passages.length]).toEqual([request.what, 1]);
    for (const text of await sent) {
      // An answer to a caller that goes on sending may be lost with the connection.
      expect([[], ...request.answered]).toContainEqual(statusesOf(text).slice(0, 1));
    }
  }
  expect(service.failure).toBe('');
  tell(`endless-requests: ${requests.length * each} requests without an end, a caller served beside each`);
});

test('a caller that half-closes or resets its connection at any byte leaves the service as it was', async () => {
  const { service, client, own, port } = await served();
  const body = JSON.stringify({ key: 'a.md', size: 9, index: true });
  const head = `Host: localhost\r\n${own}Content-Length: ${body.length}\r\nContent-Type: application/json`;
  const whole = `PUT /v1/files HTTP/1.1\r\n${head}\r\n\r\n${body}`;
  const step = times(29, 1);
  let count = 0;
  for (let at = 1; at < whole.length; at += step) {
    for (const end of ['half', 'reset'] as const) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: end === 'half' });
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(whole.slice(0, at));
      if (end === 'half') socket.end();
      else socket.resetAndDestroy();
      if (!socket.resume().closed) await new Promise((resolve) => socket.once('close', resolve));
      count += 1;
    }
  }
  expect((await client.listFiles()).files).toEqual([]);
  expect(service.failure).toBe('');
  tell(`endless-requests: ${count} connections closed in half or reset within a request, none changed anything`);
});
