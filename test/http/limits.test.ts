import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openHost } from 'waymark';
import { LIMITS, MB } from '#src/domain/limits.js';
import { createServer } from '#src/http/create-server.js';
import { statusesOf } from '../reliability/raw-http.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { until } from '../support/until.js';
import { refusal, type Service, serviceOf } from './service.js';

const SEARCH = '/v1/files/search?query=kettle';

test('429: more requests in a minute than the limit, with RateLimit-* in seconds, before embedding', async () => {
  let embedded = 0;
  const hash = createHashEmbedder();
  const model: Embedder = {
    ...hash,
    embedQuery(...given) {
      embedded += 1;
      return hash.embedQuery(...given);
    },
  };
  const { ask, host, workspaceId } = await serviceOf({ requestsPerMinute: 2 }, { model });
  const first = await ask(SEARCH);
  expect([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual(['2', '1']);
  await ask(SEARCH);
  const before = embedded;
  const refused = await ask(SEARCH);
  expect(refusal(refused)).toEqual([429, 429, 'RateLimited']);
  expect(refused.headers.get('ratelimit-remaining')).toBe('0');
  expect(Number(refused.headers.get('ratelimit-reset'))).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60);
  expect(embedded).toBe(before);
  const { token } = await host.createToken({ workspaceId, name: 'other', role: 'admin' });
  expect((await ask(SEARCH, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await ask('/healthz')).status).toBe(200);
});

test('429: guessing tokens is counted by address', async () => {
  const { ask } = await serviceOf({ requestsPerMinute: 2 });
  const guess = async (token: string) => (await ask(SEARCH, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await guess('a'), await guess('b'), await guess('c')]).toEqual([401, 401, 429]);
});

test('503: more searches at a time than the limit', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const { ask, put } = await serviceOf({ searchesAtOnce: 1 }, { model: embedder });
  await put('a.md', 'A kettle.');
  const running = ask(SEARCH);
  await asked;
  const refused = await ask(SEARCH);
  expect(refusal(refused)).toEqual([503, 503, 'Internal']);
  expect(refused.headers.get('retry-after')).toBe('1');
  letGo();
  expect((await running).status).toBe(200);
  expect((await ask(SEARCH)).status).toBe(200);
});

test('one bot may have as many searches at a time as are free, so that another is not refused', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const { ask, put, host, workspaceId } = await serviceOf({ searchesAtOnce: 4 }, { model: embedder });
  await put('a.md', 'A kettle.');
  const { bot } = await (await host.workspace(workspaceId)).createBot({ name: 'other' });
  const others = await host.bot(bot.id);
  await others.uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  await until(() => host.status().pending === 0);
  const running = [ask(SEARCH), ask(SEARCH)];
  await asked;
  await until(async () => String((await ask('/metrics')).body).includes('waymark_searches_running 2'));
  expect((await ask(SEARCH)).status).toBe(503);
  const other = ask(SEARCH, { headers: { 'x-bot-id': bot.id } });
  await until(async () => String((await ask('/metrics')).body).includes('waymark_searches_running 3'));
  letGo();
  expect((await Promise.all([...running, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('if other bots have all searches, a bot that has none waits for the next place', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const { ask, put, host, workspaceId } = await serviceOf({ searchesAtOnce: 1 }, { model: embedder });
  await put('a.md', 'A kettle.');
  const { bot } = await (await host.workspace(workspaceId)).createBot({ name: 'other' });
  const running = ask(SEARCH);
  await asked;
  expect((await ask(SEARCH)).status).toBe(503);
  const others = [1, 2].map(() => ask(SEARCH, { headers: { 'x-bot-id': bot.id } }));
  // One of them waits; a bot has one waiting at most.
  expect((await Promise.race(others)).status).toBe(503);
  letGo();
  expect((await running).status).toBe(200);
  expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 503]);
  expect((await ask('/metrics')).body).toContain('\nwaymark_searches_running 0\n');
});

test('503: more files waiting for indexing than the limit', async () => {
  const { ask } = await serviceOf({ pendingLimit: 0 });
  const refused = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 1, index: true } });
  expect(refusal(refused)).toEqual([503, 503, 'Internal']);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect((await ask(SEARCH)).status).toBe(200);
});

test('504: an answer that takes too long', async () => {
  const { embedder, letGo } = heldEmbedder({ held: 'queries' });
  const { ask, host, botId } = await serviceOf({ answerTimeout: 50 }, { model: embedder });
  const files = await host.bot(botId);
  await files.uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  await until(() => host.status().pending === 0);
  const refused = await ask(SEARCH);
  expect(refusal(refused)).toEqual([504, 504, 'OperationTimeout']);
  expect(refused.body.message).toBe('The answer took too long: try again, or request less.');
  letGo();
});

test('504: a change that takes too long is not made', async () => {
  const { embedder, letGo } = heldEmbedder();
  const { ask, host, botId } = await serviceOf({ answerTimeout: 50 }, { model: embedder });
  const files = await host.bot(botId);
  await files.uploadFile({ key: 'a.md', content: 'A kettle.', index: false });
  const set = { method: 'PUT', body: { passages: [{ content: 'A lamp.' }] } };
  const refused = await ask('/v1/files/a.md/passages', set);
  expect(refusal(refused)).toEqual([504, 504, 'OperationTimeout']);
  expect(refused.body.message).toBe(
    'The answer took too long, and nothing was changed: try again, or send less at once.',
  );
  expect((await files.listFilePassages({ id: 'a.md' })).passages).toEqual([]);
  letGo();
  await files.uploadFile({ key: 'b.md', content: 'A kettle.', index: true });
  await until(() => host.status().pending === 0);
  expect((await files.listFilePassages({ id: 'a.md' })).passages).toEqual([]);
  // In process there is no time limit.
  await files.setFilePassages({ id: 'a.md', ...set.body });
  expect((await files.listFilePassages({ id: 'a.md' })).passages).toHaveLength(1);
});

test('504: a copy that takes too long is not made', async () => {
  const { ask, host, botId } = await serviceOf({ answerTimeout: 1 });
  const files = await host.bot(botId);
  await files.uploadFile({ key: 'a.bin', content: new Uint8Array(20 * MB) });
  const refused = await ask('/v1/files/a.bin/b.bin', { method: 'POST', body: {} });
  expect(refusal(refused)).toEqual([504, 504, 'OperationTimeout']);
  expect((await files.listFiles()).files.map(({ key }) => key)).toEqual(['a.bin']);
});

test('a deletion is completed, however long it takes', async () => {
  const { ask, host, botId } = await serviceOf({ answerTimeout: 1 });
  const files = await host.bot(botId);
  const { knowledgeBase } = await files.createKnowledgeBase({ name: 'guides' });
  const tags = { kbId: knowledgeBase.id };
  for (const name of 'abcdefgh') await files.uploadFile({ key: `${name}.md`, content: 'A kettle.', tags });
  expect((await ask(`/v1/files/knowledge-bases/${knowledgeBase.id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await files.listFiles()).files).toEqual([]);
  for (const name of 'abcdefgh') await files.uploadFile({ key: `${name}.md`, content: 'A kettle.' });
  expect((await ask(`/v1/admin/bots/${botId}`, { method: 'DELETE' })).status).toBe(200);
});

/** Sends the head of a request that announces a body; the body is sent by hand. */
function begin(service: Service, { head, size }: { readonly head: readonly string[]; readonly size: number }) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const [line, ...headers] = head;
  const all = [line, 'Host: localhost', `Content-Length: ${size}`, 'Expect: 100-continue', ...headers];
  socket.write(`${all.join('\r\n')}\r\n\r\n`);
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  const answered = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(socket, 'data');
    return text;
  };
  return { socket, answered };
}

/** Sends the head of an upload of a file. */
async function beginUpload(service: Service, { key, size }: { readonly key: string; readonly size: number }) {
  const { body } = await service.ask('/v1/files', { method: 'PUT', body: { key, size } });
  const upload = begin(service, { head: [`PUT ${new URL(body.file.uploadUrl).pathname} HTTP/1.1`], size });
  await upload.answered(/ 100 Continue/);
  return upload;
}

test('429: more bytes in flight for a bot than the limit, until some are answered', async () => {
  const service = await serviceOf();
  const { host, workspaceId, botId } = service;
  const tokens = [service.token, (await host.createToken({ workspaceId, name: 'other', role: 'admin' })).token];
  /** Begins to set passages, with a body of 1 MB. */
  const beginPassages = async (i: number) => {
    const own = [`Authorization: Bearer ${tokens[i % 2]}`, `X-Bot-Id: ${botId}`, 'Content-Type: application/json'];
    const begun = begin(service, { head: ['PUT /v1/files/a.md/passages HTTP/1.1', ...own], size: 1 << 20 });
    await begun.answered(/ 100 Continue/);
    return begun;
  };
  const begun = [];
  for (let i = 0; i < 128; i += 1) begun.push(await beginPassages(i));
  const refused = await beginPassages(128);
  expect(await refused.answered(/HTTP\/1\.1 429 [\s\S]*}/)).toContain(
    'A bot must have at most 128 MB in flight; it has 135266304 bytes: wait until earlier requests are answered, ' +
      'and read the answers.',
  );
  expect((await service.ask(SEARCH)).status).toBe(200);
  for (const { socket } of begun) socket.destroy();
  await service.put('a.md', 'A kettle.');
});

test('an upload counts for what is in memory of it: twenty of 100 MB may arrive at once', async () => {
  const service = await serviceOf();
  for (let i = 0; i < 20; i += 1) await beginUpload(service, { key: `${i}.md`, size: 100 << 20 });
  expect(await service.put('a.md', 'A kettle.')).toMatchObject({ status: 'indexing_completed' });
});

test('408: a body that takes too long; the time for an upload depends on its size', async () => {
  const service = await serviceOf({ connectionLimits: { requestTimeout: 50 } });
  const size = 10 << 20;
  const upload = await beginUpload(service, { key: 'a.md', size });
  const own = [
    `Authorization: Bearer ${service.token}`,
    `X-Bot-Id: ${service.botId}`,
    'Content-Type: application/json',
  ];
  const slow = begin(service, { head: ['PUT /v1/files HTTP/1.1', ...own], size: 100 });
  await slow.answered(/HTTP\/1\.1 408 [\s\S]*OperationTimeout/);
  upload.socket.write(Buffer.alloc(size, 'a'));
  await upload.answered(/HTTP\/1\.1 200 /);
});

test('a caller that disconnects frees its place', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const { ask, put, url, token, botId } = await serviceOf({ searchesAtOnce: 1 }, { model: embedder });
  await put('a.md', 'A kettle.');
  const hangingUp = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
  const running = fetch(new URL(SEARCH, url), { headers, signal: hangingUp.signal });
  await asked;
  expect((await ask('/metrics')).body).toContain('\nwaymark_searches_running 1\n');
  hangingUp.abort();
  await expect(running).rejects.toThrow();
  // The embedder still blocks.
  while (!(await ask('/metrics')).body.includes('\nwaymark_searches_running 0\n'));
  letGo();
  expect((await ask(SEARCH)).status).toBe(200);
});

test('a caller that disconnects stops the work of its search', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const signals: (AbortSignal | undefined)[] = [];
  const embedQuery: Embedder['embedQuery'] = (query, options) => {
    signals.push(options?.signal);
    return embedder.embedQuery(query, options);
  };
  const { url, token, botId } = await serviceOf({}, { model: { ...embedder, embedQuery } });
  const hangingUp = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
  const running = fetch(new URL(SEARCH, url), { headers, signal: hangingUp.signal });
  await asked;
  expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  hangingUp.abort();
  await expect(running).rejects.toThrow();
  await until(() => signals[0]?.aborted === true);
  letGo();
});

/** Requests over one connection, which answers them in their order. */
function requestsOf({ token, botId }: Service, paths: readonly string[]): string {
  const headers = ['Host: localhost', `Authorization: Bearer ${token}`, `X-Bot-Id: ${botId}`];
  return paths.map((path) => [`GET ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n')).join('');
}

/** Sends requests at once over one connection. */
function pipeline(service: Service, paths: readonly string[]) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(requestsOf(service, paths));
  return socket;
}

test('answers that wait for an earlier one are not in flight once their connection has ended', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const service = await serviceOf({}, { model: embedder });
  const metadata = { a: 'x'.repeat(LIMITS.metadata.value - 8) };
  const sections = Array.from({ length: 50 }, (_, i) => `# Kettle ${i}\n\nKettle ${i}.`);
  await service.put('a.md', sections.join('\n\n'), { metadata });
  // 42 answers of 3.2 MB are more than a bot may have in flight.
  const socket = pipeline(service, [SEARCH, ...Array(42).fill(`${SEARCH}&limit=50&mode=lexical`)]);
  await asked;
  while (!(await service.ask('/metrics')).body.includes('waymark_searches_total{outcome="found"} 42\n'));
  const set = { method: 'PUT', body: { passages: [{ content: 'A kettle.' }] } };
  expect((await service.ask('/v1/files/a.md/passages', set)).status).toBe(429);
  // Whoever leaves answers unread gets no more of them; other tokens do.
  const refused = await service.ask(`${SEARCH}&mode=lexical`);
  expect(refusal(refused)).toEqual([429, 429, 'RateLimited']);
  expect(refused.body.message).toMatch(/^A token must have at most 128 MB in flight; it has \d+ bytes: wait until/);
  const { token } = await service.host.createToken({ workspaceId: service.workspaceId, name: 'other', role: 'search' });
  const other = { headers: { authorization: `Bearer ${token}` } };
  expect((await service.ask(`${SEARCH}&mode=lexical`, other)).status).toBe(200);
  const ended = once(socket, 'close');
  socket.destroy();
  await ended;
  letGo();
  await until(async () => (await service.ask('/v1/files/a.md/passages', set)).status === 200);
});

test('a download behind a request that is not answered yet is not read before its turn', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const service = await serviceOf({}, { model: embedder });
  await service.put('a.md', 'A kettle.');
  const { url } = await service.put('b.txt', 'The first.', { index: false });
  const { pathname, search } = new URL(url);
  const socket = pipeline(service, [SEARCH]);
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  await asked;
  // At 512 KB each, a connection may have 128 downloads.
  socket.write(requestsOf(service, Array(129).fill(pathname + search)));
  await service.put('b.txt', 'The second.', { index: false });
  letGo();
  await until(async () => statusesOf(text).length === 130 && text.endsWith('}'));
  expect(statusesOf(text)).toEqual([...Array(129).fill(200), 429]);
  expect([text.split('The second.').length - 1, text.includes('The first.')]).toEqual([128, false]);
});

test('fifty simultaneous callers are all answered', async () => {
  const { ask, put } = await serviceOf();
  await put('a.md', 'A kettle.');
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(SEARCH)));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
});

test('a stopping service finishes running requests and accepts no new ones', async () => {
  const { embedder, asked, letGo } = heldEmbedder({ held: 'queries' });
  const service = await serviceOf({}, { model: embedder });
  await service.put('a.md', 'A kettle.');
  const running = service.ask(SEARCH);
  await asked;
  const closed = service.close();
  letGo();
  expect((await running).status).toBe(200);
  await closed;
  await expect(service.ask(SEARCH)).rejects.toThrow();
});

/** A request with a Host or Origin of its own, which fetch does not send. */
function statusOf({ url, token, botId }: Service, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const own = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
    const sent = request(new URL(SEARCH, url), { headers: { ...own, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

test('403 on loopback: a Host or Origin that is not this machine', async () => {
  const service = await serviceOf({ publicUrl: 'https://search.example.com' });
  const rows = [
    [{ host: 'localhost:7333' }, 200],
    [{ host: '127.0.0.1' }, 200],
    [{ host: '[::1]:80' }, 200],
    [{ host: 'search.example.com' }, 200],
    [{ host: 'search.example.com:443' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ host: 'localhost@evil.example' }, 403],
    [{ origin: 'http://localhost:3000' }, 200],
    [{ origin: 'https://search.example.com' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://localhost.evil.example' }, 403],
    [{ origin: 'null' }, 403],
  ] as const;
  for (const [headers, status] of rows) expect([headers, await statusOf(service, headers)]).toEqual([headers, status]);
});

test.each([
  ['0.0.0.0', 200],
  ['::', 200],
  ['localhost', 403],
  ['LOCALHOST', 403],
  ['127.1', 403],
  ['::ffff:127.0.0.1', 403],
])('bound to %s, a Host of another machine is answered with %i', async (boundTo, status) => {
  const service = await serviceOf({ boundTo });
  expect(await statusOf(service, { host: 'search.internal:7333' })).toBe(status);
  expect(await statusOf(service, {})).toBe(200);
});

test('bound to ::1 in any notation, a Host of another machine is refused', async () => {
  const service = await serviceOf({ boundTo: '0:0:0:0:0:0:0:1' });
  const reached = { ...service, url: service.url.replace('127.0.0.1', '[::1]') };
  expect(await statusOf(reached, { host: 'search.internal:7333' })).toBe(403);
  expect(await statusOf(reached, { host: '[::ffff:127.0.0.1]:7333' })).toBe(200);
});

test('a stopping service ends what is unfinished after its grace', async () => {
  const service = await serviceOf({ grace: 10 });
  const { port } = new URL(service.url);
  const body = connect(Number(port), '127.0.0.1');
  const own = `Authorization: Bearer ${service.token}\r\nX-Bot-Id: ${service.botId}\r\n`;
  const rest = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  body.write(`PUT /v1/files HTTP/1.1\r\nHost: localhost\r\n${own}${rest}`);
  // It is counted once another connection is answered.
  await once(body, 'connect');
  await service.ask('/healthz');
  const ended = once(body.resume(), 'close');
  await service.close();
  await ended;
});

test('URLs of files begin with the public URL', async () => {
  const { ask } = await serviceOf({ publicUrl: 'https://example.com/search/' });
  const { file } = (await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 1 } })).body;
  expect(file.uploadUrl).toMatch(/^https:\/\/example\.com\/search\/v1\/uploads\/[\w-]+$/);
  expect(file.url.split('?')[0]).toBe(`https://example.com/search/v1/files/${file.id}/content`);
});

test('no timeout is disabled', async () => {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  const app = await createServer(host);
  const { requestTimeout, headersTimeout, keepAliveTimeout, timeout } = app.server;
  expect({ requestTimeout, headersTimeout, keepAliveTimeout, timeout }).toEqual({
    // 60 s, and those of the longest upload, of 100 MB, at 64 KB a second.
    requestTimeout: 1_660_000,
    headersTimeout: 20_000,
    keepAliveTimeout: 72_000,
    timeout: 120_000,
  });
  await app.close();
  await host.close();
});

test('a stopping service does not wait for unused connections', async () => {
  const service = await serviceOf();
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(silent, 'connect');
  await service.ask('/healthz');
  const ended = once(silent, 'close');
  silent.resume();
  await service.close();
  await ended;
});
