import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { answer, refusal, serviceOf } from './service.js';

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
  ['{', 'The body is not valid JSON.'],
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
  expect(refused.body.message).toBe('The body is not UTF-8: encode it so.');
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

test('bytes that are not HTTP, and headers that are too long, are refused with the error body', async () => {
  const { url } = await serviceOf();
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
      let got = '';
      socket.on('data', (data) => {
        got += data;
      });
      socket.on('close', () => resolve(got));
    });
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*"type":"InvalidPayload"/s);
  const long = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`;
  expect(await raw(long)).toMatch(/^HTTP\/1.1 431 .*"type":"LimitExceeded"/s);
});
