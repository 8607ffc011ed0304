import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { createHashEmbedder, WaymarkError } from 'waymark';
import { type Answer, answer, refusal, serviceOf } from './service.js';

const LOCALHOST = 'Host: localhost';
const CLOSE = 'Connection: close';
const PUT = ['PUT /v1/files HTTP/1.1', LOCALHOST, 'Content-Type: application/json'];
const NO_METHOD = 'The request does not begin with a method of HTTP, such as GET: send HTTP/1.1, without TLS.';

test.each([
  ['query=', 'query must be a non-empty string of at most 2048 bytes; it is "".'],
  ['', 'query must be a non-empty string of at most 2048 bytes; it is missing.'],
  ['query=%20%0A', 'query must be a non-empty string of at most 2048 bytes; it is " \\n".'],
  ['query=a&query=b', "query must be a non-empty string of at most 2048 bytes; it is [ 'a', 'b' ]."],
  ['query=a&limit=0', 'limit must be an integer from 1 to 50; it is 0.'],
  ['query=a&limit=51', 'limit must be an integer from 1 to 50; it is 51.'],
  ['query=a&limit=1.5', 'limit must be an integer from 1 to 50; it is 1.5.'],
  ['query=a&limit=ten', 'limit must be an integer from 1 to 50; it is "ten".'],
  ['query=a&limit=', 'limit must be an integer from 1 to 50; it is "".'],
  ['query=a&contextDepth=-1', 'contextDepth must be an integer from 0 to 10; it is -1.'],
  ['query=a&contextDepth=11', 'contextDepth must be an integer from 0 to 10; it is 11.'],
  ['query=a&consolidate=yes', 'consolidate must be true or false; it is "yes".'],
  ['query=a&withContext=1', 'withContext must be true or false; it is "1".'],
  [
    'query=a&tags=b',
    'tags must be an object of tag names to a value, a list of values, or an object of the operators in, not and exists; it is "b".',
  ],
  ['query=a&consolidate=true&withContext=true', 'withContext is not supported with consolidate: use one of them.'],
])('400: /v1/files/search?%s', async (query, message) => {
  const { ask } = await serviceOf();
  const refused = await ask(`/v1/files/search?${query}`);
  expect(refusal(refused)).toEqual([400, 400, 'InvalidQuery']);
  expect(refused.body).toMatchObject({ id: expect.stringMatching(/^err_/), message });
});

test('400: a query of 2,049 bytes; one of 2,048 is answered', async () => {
  const { ask } = await serviceOf();
  expect((await ask(`/v1/files/search?query=${'%C3%A9'.repeat(1024)}`)).status).toBe(200);
  const refused = await ask(`/v1/files/search?query=a${'%C3%A9'.repeat(1024)}`);
  expect(refusal(refused)).toEqual([400, 400, 'InvalidQuery']);
});

test.each([
  ['{', 'The body is not valid JSON: send one JSON object.'],
  ['[]', 'The request must be an object; it is [].'],
  ['"a"', 'The request must be an object; it is "a".'],
  ['', 'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is missing.'],
  ['{"__proto__":{"x":1}}', 'The request cannot have a member "__proto__": choose another name.'],
  ['{"key":"a.md"}', 'size must be an integer from 0; it is missing.'],
  [
    '{"key":"","size":1}',
    'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "".',
  ],
  [
    '{"key":"\\ud83d.md","size":1}',
    'key must be a string of 1 to 1000 characters without control characters and lone surrogates; it is "\\ud83d.md".',
  ],
  ['{"key":"a.md","size":1,"index":"yes"}', 'index must be true or false; it is "yes".'],
  [
    '{"key":"a.md","size":1,"tags":{"a":1}}',
    'tags must be an object of names to strings of at most 1000 characters, without NUL and lone surrogates; it is { a: 1 }.',
  ],
])('400: PUT /v1/files with the body %s', async (body, message) => {
  const { ask } = await serviceOf();
  const refused = await ask('/v1/files', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  expect(refusal(refused)).toEqual([400, 400, 'InvalidPayload']);
  expect(refused.body.message).toBe(message);
});

test('400: a body that is not UTF-8', async () => {
  const { ask } = await serviceOf();
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from('{"key":"caf\xe9.md","size":1}', 'latin1');
  const refused = await ask('/v1/files', { method: 'PUT', headers, body });
  expect(refusal(refused)).toEqual([400, 400, 'InvalidPayload']);
  expect(refused.body.message).toBe('The body is not valid UTF-8: encode it as UTF-8.');
});

test('404: no such route', async () => {
  const { ask } = await serviceOf();
  for (const path of ['/v1', '/v2/files', '/v1/admin/users', '/v1/files/a/b/c', '/v1/uploads/unknown/x']) {
    expect(refusal(await ask(path))).toEqual([404, 404, 'ResourceNotFound']);
  }
});

test('404: no such file, no such upload address', async () => {
  const { ask } = await serviceOf();
  const missing = await ask('/v1/files/nothing.md');
  expect(refusal(missing)).toEqual([404, 404, 'ResourceNotFound']);
  expect(missing.body.metadata).toEqual({ code: 'FILE_MISSING' });
  const upload = await ask('/v1/uploads/nothing', { method: 'PUT', body: 'x' });
  expect(refusal(upload)).toEqual([404, 404, 'ResourceNotFound']);
});

test('400: a path that cannot be decoded', async () => {
  const { ask } = await serviceOf();
  expect(refusal(await ask('/v1/files/%E0%A4%A'))).toEqual([400, 400, 'InvalidIdentifier']);
});

test.each([
  ['POST', '/v1/files', 'GET, HEAD, OPTIONS, PUT'],
  ['DELETE', '/v1/files/search', 'GET, HEAD, OPTIONS'],
  ['PUT', '/v1/files/tags', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/v1/files/a.md', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['DELETE', '/v1/admin/bots', 'GET, HEAD, OPTIONS, POST'],
  ['POST', '/v1/files/a.md/passages', 'GET, HEAD, OPTIONS, PUT'],
  ['GET', '/v1/uploads/x', 'OPTIONS, PUT'],
  ['PROPFIND', '/v1/files', 'GET, HEAD, OPTIONS, PUT'],
  ['SEARCH', '/healthz', 'GET, HEAD, OPTIONS'],
])('405: %s %s, and OPTIONS lists the methods', async (method, path, allow) => {
  const { ask } = await serviceOf();
  const refused = await ask(path, { method });
  expect(refusal(refused)).toEqual([405, 405, 'MethodNotFound']);
  expect(refused.headers.get('allow')).toBe(allow);
  const options = await ask(path, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
});

test('HEAD answers as GET does, without a body', async () => {
  const { ask } = await serviceOf();
  const head = await ask('/v1/files/search?query=a', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  expect((await ask('/v1/files/search', { method: 'HEAD' })).status).toBe(400);
});

test('413: JSON of more than 1 MB, and an upload over its limit', async () => {
  const { ask } = await serviceOf({ uploadLimit: 10 });
  const body = { key: 'a.md', size: 1, metadata: { a: 'x'.repeat(1024 * 1024) } };
  expect(refusal(await ask('/v1/files', { method: 'PUT', body }))).toEqual([413, 413, 'PayloadTooLarge']);
  const announced = await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 11 } });
  expect(refusal(announced)).toEqual([413, 413, 'PayloadTooLarge']);
  expect(announced.body.message).toBe('size must be at most 10 bytes; it is 11.');
  const { file } = (await ask('/v1/files', { method: 'PUT', body: { key: 'a.md', size: 10 } })).body;
  const sent = await answer(new URL(file.uploadUrl), { method: 'PUT', body: '12345678901' });
  expect(refusal(sent)).toEqual([413, 413, 'PayloadTooLarge']);
});

test('415: a body that is not JSON', async () => {
  const { ask } = await serviceOf();
  const refused = await ask('/v1/files', { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' });
  expect(refusal(refused)).toEqual([415, 415, 'UnsupportedMediaType']);
});

test('500: the cause is in the log, and not in the answer', async () => {
  const log: string[] = [];
  const embedder = {
    ...createHashEmbedder(),
    embedQuery: async () => {
      throw new Error('the secret cause');
    },
  };
  const { ask, put } = await serviceOf({ log: { write: (line) => log.push(line) } }, { model: embedder });
  await put('a.md', 'A kettle.');
  const failed = await ask('/v1/files/search?query=kettle');
  expect(refusal(failed)).toEqual([500, 500, 'Internal']);
  expect(JSON.stringify(failed.body)).not.toContain('secret cause');
  expect(log.find((line) => line.includes(failed.body.id))).toContain('the secret cause');
});

test('404: an unknown path, whatever the method', async () => {
  const { url } = await serviceOf();
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'DELETE']) {
    const answered = await raw(url, [`${method} /nothing HTTP/1.1`, LOCALHOST, CLOSE]);
    expect([answered.status, answered.body.message]).toEqual([
      404,
      `No ${method} route has this path: see /docs for those that exist.`,
    ]);
  }
});

test('405: TRACE and QUERY of a known path, and CONNECT of any', async () => {
  const { url } = await serviceOf();
  for (const method of ['TRACE', 'QUERY']) {
    const answered = await raw(url, [`${method} /v1/files HTTP/1.1`, LOCALHOST, CLOSE]);
    expect(answered).toMatchObject({ status: 405, body: { type: 'MethodNotFound' } });
    expect(answered.head).toContain('\r\nallow: GET, HEAD, OPTIONS, PUT\r\n');
  }
  const tunnel = await raw(url, ['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443']);
  expect(tunnel).toMatchObject({
    status: 405,
    body: {
      type: 'MethodNotFound',
      message: 'CONNECT is not allowed: the service is no proxy. Send GET, POST, PUT or DELETE with a path.',
    },
  });
  expect(tunnel.head).toContain('\r\nAllow: DELETE, GET, HEAD, OPTIONS, POST, PUT\r\n');
});

test('417: an expectation other than 100-continue ends the connection with the error body', async () => {
  const { url } = await serviceOf();
  const answered = await raw(url, ['PUT /v1/files HTTP/1.1', LOCALHOST, 'Expect: 200-maybe', 'Content-Length: 2']);
  expect(answered).toMatchObject({
    status: 417,
    body: { code: 417, message: 'Expect must be 100-continue; it is "200-maybe": leave it out.' },
  });
});

test('400: a request without a Host header, or with two, ends the connection with the error body', async () => {
  const { url } = await serviceOf();
  for (const hosts of [[], [LOCALHOST, 'HOST: evil.example']]) {
    const { status, body } = await raw(url, ['GET /healthz HTTP/1.1', ...hosts]);
    expect([status, body.message]).toEqual([
      400,
      `A request must have one Host header; this one has ${hosts.length}: send the name of the service in it.`,
    ]);
  }
});

test('400: a Host header that is neither a host name nor an IP address, with or without a port', async () => {
  const { url, token, botId } = await serviceOf({ boundTo: '0.0.0.0' });
  const own = [`Authorization: Bearer ${token}`, `X-Bot-Id: ${botId}`, CLOSE];
  const listed = (host: string) => raw(url, ['GET /v1/files HTTP/1.1', `Host: ${host}`, ...own]);
  for (const host of ['localhost@evil.example', 'evil.example/x', 'evil.example:80:80', 'a,b', '[::1]evil.example']) {
    const { status, body } = await listed(host);
    const message = 'The Host header must be a host name or an IP address, with or without a port.';
    expect([host, status, body.message]).toEqual([host, 400, message]);
  }
  for (const host of ['search.internal', 'search_1.internal:7333', '127.0.0.1', '[::1]', '[::FFFF:127.0.0.1]:80']) {
    expect([host, (await listed(host)).status]).toEqual([host, 200]);
  }
});

test('400: a body in a transfer coding that nothing decodes ends the connection with the error body', async () => {
  const { url } = await serviceOf();
  const put = (coding: string) => {
    const head = ['PUT /v1/files HTTP/1.1', LOCALHOST, CLOSE, `Transfer-Encoding: ${coding}`];
    return raw(url, head, '2\r\n{}\r\n0\r\n\r\n');
  };
  const message = 'Transfer-Encoding must be chunked; it is "gzip, chunked": send the body as it is.';
  const { status, body } = await put('gzip, chunked');
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 400, type: 'InvalidQuery', message });
  expect((await put('Chunked')).status).toBe(401);
});

test('415: a body that is encoded, as JSON or as an upload, names what is accepted', async () => {
  const { ask } = await serviceOf();
  const message = 'Content-Encoding must be identity; it is "gzip": send the body as it is.';
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const announced = { key: 'a.md', size: 9 };
  const json = await ask('/v1/files', { method: 'PUT', headers, body: gzipSync(JSON.stringify(announced)) });
  const { file } = (await ask('/v1/files', { method: 'PUT', body: announced })).body;
  const upload = await answer(new URL(file.uploadUrl), { method: 'PUT', headers, body: gzipSync('A kettle.') });
  for (const refused of [json, upload]) {
    expect(refusal(refused)).toEqual([415, 415, 'UnsupportedMediaType']);
    expect([refused.body.message, refused.headers.get('accept-encoding')]).toEqual([message, 'identity']);
  }
  const plain = { method: 'PUT', headers: { 'content-encoding': 'identity' }, body: 'A kettle.' };
  expect((await answer(new URL(file.uploadUrl), plain)).status).toBe(200);
});

test.each([
  ['a request without a method', ['nonsense'], '', NO_METHOD],
  ['a method that HTTP does not have', ['BREW / HTTP/1.1'], '', NO_METHOD],
  ['HTTP/2', ['PRI * HTTP/2.0'], 'SM\r\n\r\n', 'The request is of HTTP/2: send HTTP/1.1.'],
  [
    'a header name with a blank',
    ['GET / HTTP/1.1', 'X : a'],
    '',
    'The request is not valid HTTP (Invalid header token): check what sends it.',
  ],
  [
    'a chunk without a size',
    [...PUT, 'Transfer-Encoding: chunked'],
    'xyz\r\n{}\r\n',
    'The request is not valid HTTP (Invalid character in chunk size): check what sends it.',
  ],
])('400: %s is answered once, with the error body', async (_, head, rest, message) => {
  const { url } = await serviceOf();
  const answered = await raw(url, head, rest);
  expect(answered).toMatchObject({
    status: 400,
    body: { id: expect.stringMatching(/^err_/), code: 400, type: 'InvalidPayload', message },
  });
  expect(answered.head).toContain('\r\nConnection: close');
});

test('431: headers that are too long are answered once, with the error body', async () => {
  const { url } = await serviceOf();
  const answered = await raw(url, ['GET /healthz HTTP/1.1', LOCALHOST, `X-A: ${'a'.repeat(40_000)}`]);
  expect(answered).toMatchObject({
    status: 431,
    body: { code: 431, type: 'LimitExceeded', message: expect.stringMatching(/ at most 32 KB: shorten them\.$/) },
  });
});

test('408: a head that takes too long is answered once, with the error body', async () => {
  const { url } = await serviceOf({ connectionLimits: { headersTimeout: 50, checkInterval: 10 } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('GET /healthz'));
  expect(await answerOn(socket)).toMatchObject({
    status: 408,
    body: { code: 408, type: 'OperationTimeout', message: 'The request took too long to arrive: try again.' },
  });
});

/** Sends the lines of a head and what follows, and reads the one answer until the service closes the connection. */
function raw(url: string, head: readonly string[], rest = '') {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${rest}`),
  );
  return answerOn(socket);
}

async function answerOn(socket: Socket): Promise<{ head: string; status: number; body: Answer['body'] }> {
  let got = '';
  for await (const part of socket) got += part;
  const [head = '', body = ''] = got.split('\r\n\r\n');
  return { head, status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

test('503 and Retry-After while the cluster of the service does not answer', async () => {
  const { ask, host } = await serviceOf();
  const message = 'No node of the cluster answers. The cluster is http://10.0.0.1:8080.';
  vi.spyOn(host, 'bot').mockRejectedValue(new WaymarkError('CLUSTER_UNAVAILABLE', message));
  const refused = await ask('/v1/files');
  expect(refusal(refused)).toEqual([503, 503, 'Internal']);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(refused.body).toMatchObject({
    message: 'The cluster of the service does not answer: try again in a moment.',
    metadata: { code: 'CLUSTER_UNAVAILABLE' },
  });
});
