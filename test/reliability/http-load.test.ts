import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Service, serviceOf } from '../http/service.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { inMilliseconds, later } from '../support/later.js';
import { type Got, type Sent, send, statusesOf } from './raw-http.js';
import { tell, times } from './torture.js';

const SEARCH = '/v1/files/search?query=kettle';

/** Short enough to wait for. */
const QUICK = { headersTimeout: 1500, requestTimeout: 2500, keepAliveTimeout: 1000, checkInterval: 50 };

function own({ token, botId }: Pick<Service, 'token' | 'botId'>): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-bot-id': botId };
}

/** A search over a connection of its own. */
function search(service: Service, token = service.token): Promise<Got> {
  return send(service.url, { method: 'GET', path: SEARCH, headers: own({ ...service, token }) });
}

/** A connection that is closed when the test finishes. */
async function opened({ url }: Service): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // Writing to a closed connection fails, which is what the test waits for.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything received on a connection until it closes. */
function ended(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.once('close', () => resolve(text));
  });
}

/** Writes a byte at intervals until the other side closes. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once('close', () => clearInterval(timer));
}

test('slow headers, slow bodies and silent connections are closed; other clients are served meanwhile', async () => {
  const service = await serviceOf({ connectionLimits: QUICK });
  const own = `Authorization: Bearer ${service.token}\r\nX-Bot-Id: ${service.botId}\r\n`;
  const body = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n';
  const slow: readonly (readonly [string, string, string | undefined, number[]])[] = [
    ['headers', 'GET /v1/files HTTP/1.1\r\nHost: localhost\r\nX-A: ', 'a', [408]],
    ['a body', `PUT /v1/files HTTP/1.1\r\nHost: localhost\r\n${own}${body}`, ' ', [408]],
    ['a body without a token', `PUT /v1/files HTTP/1.1\r\nHost: localhost\r\n${body}`, ' ', [408]],
    ['nothing', '', undefined, [408]],
    ['a request and then nothing', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined, [200]],
  ];
  const each = times(5, 100);
  const ends = [];
  for (const [what, begin, byte, statuses] of slow) {
    for (let i = 0; i < each; i += 1) {
      const socket = await opened(service);
      socket.write(begin);
      if (byte !== undefined) drip(socket, byte);
      ends.push(ended(socket).then((text) => ({ what, statuses, text })));
    }
  }
  let isOver = false;
  const all = Promise.all(ends).finally(() => {
    isOver = true;
  });
  let served = 0;
  while (!isOver) {
    expect((await search(service)).status).toBe(200);
    served += 1;
  }
  for (const { what, statuses, text } of await all) {
    // On a machine that is busy for this long, the rejection may not have arrived.
    const answered = statusesOf(text).filter((status) => status !== 401);
    expect([what, answered]).toEqual([what, statuses]);
    if (statuses.at(-1) === 408) expect(text).toContain('"type":"OperationTimeout"');
  }
  tell(`http-load: ${ends.length} slow connections ended, ${served} searches answered meanwhile`);
});

test('above the connection limit the longest idle connections are closed, and a normal client is served', async () => {
  const [limit, count] = [times(64, 1024), times(200, 2000)];
  const service = await serviceOf(times(0, 1) === 1 ? {} : { connectionLimits: { connections: limit } });
  await service.put('a.md', 'A kettle.');
  const idle: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    idle.push(await opened(service));
    if (i % 50 === 0) expect((await search(service)).status).toBe(200);
  }
  for (let i = 0; i < 20; i += 1) expect((await search(service)).status).toBe(200);
  const first = idle.slice(0, count - limit);
  await Promise.all(first.map((socket) => socket.resume().closed || once(socket, 'close')));
  const last = idle.at(-1) as Socket;
  last.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(statusesOf(await ended(last))).toEqual([200]);
  tell(`http-load: ${count} idle connections, ${limit} kept, a normal client served throughout`);
});

test('a connection with a request in progress is not evicted', async () => {
  const { embedder: model, asked, letGo } = heldEmbedder({ held: 'queries' });
  const service = await serviceOf({ connectionLimits: { connections: 3 } }, { model });
  await service.put('a.md', 'A kettle.');
  const running = search(service);
  await asked;
  const others = [];
  for (let i = 0; i < 10; i += 1) others.push(await opened(service));
  await Promise.all(others.slice(0, 8).map((socket) => socket.resume().closed || once(socket, 'close')));
  letGo();
  expect((await running).status).toBe(200);
});

/** Sends a number of requests, some concurrently, and returns the responses. */
async function flood(service: Service, count: number, request: (i: number) => Sent): Promise<Got[]> {
  const got: Got[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      got.push(await send(service.url, request(i)));
    }
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  return got;
}

function countOf(answers: readonly Got[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

test('a token above its rate limit is rejected, and another one is served', async () => {
  const limit = 40;
  const service = await serviceOf({ requestsPerMinute: limit });
  const { host, workspaceId } = service;
  const greedy = await host.createToken({ workspaceId, name: 'greedy', role: 'search' });
  const modest = await host.createToken({ workspaceId, name: 'modest', role: 'search' });
  const count = times(200, 3000);
  const path = SEARCH;
  const headers = own({ ...service, token: greedy.token });
  const flooded = flood(service, count, () => ({ method: 'GET', path, headers }));
  for (let i = 0; i < limit; i += 1) expect((await search(service, modest.token)).status).toBe(200);
  const answers = await flooded;
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([limit, count - limit]);
  const refused = answers.find(({ status }) => status === 429);
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({ code: 429, type: 'RateLimited' });
  tell(`http-load: ${count} requests of one token, ${count - limit} refused, another token served throughout`);
});

test('an address above its rate limit is rejected despite spoofed headers; tokens are served', async () => {
  const limit = 40;
  const service = await serviceOf({ requestsPerMinute: limit });
  const count = times(200, 3000);
  const flooded = flood(service, count, (i) => ({
    method: i % 2 === 0 ? 'GET' : 'PUT',
    path: i % 2 === 0 ? SEARCH : `/v1/uploads/guess-${i}`,
    headers: {
      'x-forwarded-for': `10.0.${i >> 8}.${i & 255}`,
      forwarded: `for=10.0.0.${i & 255}`,
      'x-real-ip': `10.1.0.${i & 255}`,
      authorization: `Bearer wm_${'0'.repeat(32)}_${String(i).padStart(43, 'a')}`,
    },
  }));
  for (let i = 0; i < limit; i += 1) expect((await search(service)).status).toBe(200);
  const answers = await flooded;
  expect(countOf(answers, 429)).toBe(count - limit);
  expect(countOf(answers, 401) + countOf(answers, 404)).toBe(limit);
  tell(
    `http-load: ${count} requests of one address without a token, ${count - limit} refused, a token served throughout`,
  );
});

test('a guessed, altered, revoked or expired token is rejected with the same response', async () => {
  const service = await serviceOf({ requestsPerMinute: 10_000_000 });
  const { host, workspaceId, token } = service;
  const revoked = await host.createToken({ workspaceId, name: 'revoked', role: 'admin' });
  await host.revokeToken(revoked.id);
  const expired = await host.createToken({
    workspaceId,
    name: 'old',
    role: 'admin',
    expiresAt: inMilliseconds(3_600_000),
  });
  later(7_200_000);
  const told = async (authorization: string) => {
    const headers = { ...own(service), authorization };
    const { status, headers: answered, text } = await send(service.url, { method: 'GET', path: SEARCH, headers });
    const { date: _, 'x-request-id': __, ...rest } = answered;
    const counted = Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit-'));
    return { status, headers: Object.fromEntries(counted), body: { ...JSON.parse(text), id: '' } };
  };
  const guessed = await told(`Bearer wm_${'0'.repeat(32)}_${'a'.repeat(43)}`);
  expect(guessed.status).toBe(401);
  for (const other of [revoked.token, expired.token]) expect(await told(`Bearer ${other}`)).toEqual(guessed);
  const altered = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.~+/='), fc.nat(2))
    .map(([at, letter, removed]) => `${token.slice(0, at)}${letter}${token.slice(at + removed)}`)
    .filter((text) => text !== token);
  const runs = times(100, 5000);
  await fc.assert(
    fc.asyncProperty(altered, async (text) => {
      expect(await told(`Bearer ${text}`)).toEqual(guessed);
    }),
    { numRuns: runs },
  );
  tell(`http-load: ${runs} altered tokens, none taken, all refused alike`);
});

test('on loopback a foreign Host or Origin is rejected, on any address', async () => {
  const service = await serviceOf({ requestsPerMinute: 10_000_000 });
  await service.put('a.md', 'A kettle.');
  const ours = fc.constantFrom('localhost', '127.0.0.1', '[::1]', '::1', '0.0.0.0', 'localhost:7333', 'xn--localhost');
  const theirs = fc.constantFrom(
    'evil.example',
    'evil.example.',
    'EVIL.example',
    'a.b.evil.example',
    '8.8.8.8',
    '[::2]',
  );
  const spoofed = fc.oneof(
    theirs,
    fc.tuple(ours, theirs).chain(([a, b]) => fc.constantFrom(`${a}.${b}`, `${a}@${b}`, `${a}:80@${b}`, `${a}-${b}`)),
    fc.tuple(theirs, ours).chain(([a, b]) => fc.constantFrom(`${a}/${b}`, `${a}?${b}`, `${a}#${b}`, `${a}\\${b}`)),
    fc.constantFrom(
      '0.0.0.0',
      'localhost.',
      'localhost.localdomain',
      '127.0.0.1.nip.io',
      '128.0.0.1',
      '[::ffff:8.8.8.8]',
    ),
  );
  const paths = fc.constantFrom(SEARCH, '/healthz', '/metrics', '/openapi.json', '/docs', '/v1/files', '/nothing');
  const runs = times(100, 5000);
  await fc.assert(
    fc.asyncProperty(spoofed, paths, fc.constantFrom('host', 'origin'), async (name, path, header) => {
      const value = header === 'host' ? name : `http://${name}`;
      const { status, text } = await send(service.url, {
        method: 'GET',
        path,
        headers: { ...own(service), [header]: value },
      });
      expect(status).toBe(403);
      expect(JSON.parse(text).type).toBe('Forbidden');
    }),
    { numRuns: runs },
  );
  expect((await search(service)).status).toBe(200);
  tell(`http-load: ${runs} requests with the Host or Origin of another site, all refused`);
});
