import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '#src/formats/formats.js';
import { type Service, serviceOf } from '../http/service.js';
import { until } from '../support/until.js';
import { HOSTILE, invalid, type Schema, text, valid } from './from-schema.js';
import { exchange, type Got, type Sent, send, statusesOf } from './raw-http.js';
import { tell, times } from './torture.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, object>>;
}

/** An operation of the OpenAPI document of the service. */
interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

const TAGS = ['kind', 'constructor'];
const KEYS = ['a.md', 'guides/b c.md', 'ü/é.md', 'search', 'constructor', '%2e%2e%2fx.md'];

/** A service with some files, its OpenAPI document, and a check of responses against it. */
async function fuzzed() {
  const service = await serviceOf({ requestsPerMinute: 10_000_000 });
  const bots = await service.host.workspace(service.workspaceId);
  const { bot: spare } = await bots.createBot({ name: 'spare' });
  for (const [i, key] of KEYS.entries()) {
    await service.put(key, `# Kettle ${i}\n\nThe kettle.\n`, {
      contentType: 'text/markdown',
      tags: { kind: `k${i}`, constructor: 'x' },
    });
  }
  const { text } = await send(service.url, { method: 'GET', path: '/openapi.json' });
  const document: { paths: Record<string, Record<string, Described>> } = JSON.parse(text);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => ({ ...described, method, path })),
  );
  // Last, since the other operations need what it deletes.
  operations.sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  return { service, spareId: spare.id, operations, problem: judge(ajv) };
}

function judge(ajv: Ajv2020) {
  /** What is wrong with a response, if anything. */
  return ({ path, method, responses }: Operation, { status, headers, text }: Got): string | undefined => {
    if (status === 500) return 'the service failed';
    if (!(status in responses)) return `${status} is not in the document: ${text.slice(0, 300)}`;
    const type = String(headers['content-type']);
    if (path.endsWith('/content') && status === 200) return undefined;
    if (!type.startsWith('application/json')) return `answers ${type}, not JSON`;
    const at = encodeURIComponent(path.replaceAll('/', '~1'));
    const reference = `api#/paths/${at}/${method}/responses/${status}/content/application~1json/schema`;
    const validate = ajv.getSchema(reference) as ValidateFunction;
    return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`;
  };
}

/** A value as a query parameter: as it is, or in one of the encodings of objects and lists. */
function query(name: string, value: unknown): fc.Arbitrary<string> {
  const encoded = (given: unknown) => encodeURIComponent(String(given).toWellFormed());
  if (typeof value !== 'object' || value === null) return fc.constant(`${encoded(name)}=${encoded(value)}`);
  const members = Object.entries(value).map(
    ([key, member]) => [key, typeof member === 'string' ? member : JSON.stringify(member)] as const,
  );
  const each = (between: (key: string) => string) =>
    members.map(([key, member]) => `${between(key)}=${encoded(member)}`);
  return fc.constantFrom(
    `${encoded(name)}=${encoded(JSON.stringify(value))}`,
    each((key) => `${name}[${encoded(key)}]`).join('&'),
    each((key) => `${name}.${encoded(key)}`).join('&'),
    each((key) => `${name}[${encoded(key)}][]`).join('&'),
    each(() => encoded(name)).join('&'),
  );
}

/** An encoded path parameter; never `search`, `tags` or empty, which lead to other operations. */
function segment(known: readonly string[]): fc.Arbitrary<string> {
  const named = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 2, arbitrary: text });
  return named
    .filter((name) => !['', 'search', 'tags', '.', '..'].includes(name))
    .map((name) => encodeURIComponent(name.toWellFormed()));
}

const JUNK_BODIES = ['{', '[]', 'null', '"a"', '{"__proto__":{"a":1}}', '{"a":1}}', '\u0000', '[['.repeat(20_000)];

interface Known {
  readonly service: Service;
  /** A bot that may be changed and deleted. */
  readonly spareId: string;
  readonly fileIds: readonly string[];
}

/** Requests of an operation, valid and invalid. */
function requests(operation: Operation, { service, spareId, fileIds }: Known) {
  const files = [...KEYS.filter((key) => key !== 'search'), ...fileIds];
  const named = { bots: [spareId], workspaces: [service.workspaceId], tags: TAGS };
  const [, known = files] = Object.entries(named).find(([part]) => operation.path.includes(part)) ?? [];
  const paths = operation.path.split('/').map((part) => (part.startsWith('{') ? segment(known) : fc.constant(part)));
  const queries = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const value = fc.oneof({ weight: 9, arbitrary: valid(schema) }, { weight: 1, arbitrary: invalid(schema) });
      const sent = value.filter((given) => JSON.stringify(given).length < 4000).chain((given) => query(name, given));
      return fc.option(sent, { nil: '' });
    });
  const junk = fc.option(
    fc.oneof(fc.constantFrom(...HOSTILE), text).map((name) => encodeURIComponent(name.toWellFormed())),
    { freq: 4, nil: '' },
  );
  const own = {
    authorization: `Bearer ${service.token}`,
    'x-bot-id': service.botId,
    'x-workspace-id': service.workspaceId,
  };
  const headerText = text.map((given) => encodeURIComponent(given.toWellFormed()));
  const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
    { weight: 6, arbitrary: fc.constant(own) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(own), 'host', 'origin', 'content-type', 'accept'), headerText)
        .map(([name, value]) => ({ ...own, [name]: value })),
    },
  );
  const schema = operation.requestBody?.content['application/json']?.schema;
  const json = (value: unknown) => JSON.stringify(value) ?? '';
  const bodies = schema
    ? fc.oneof(
        { weight: 4, arbitrary: valid(schema).map(json) },
        { weight: 3, arbitrary: invalid(schema).map(json) },
        { weight: 1, arbitrary: fc.constantFrom(...JUNK_BODIES) },
      )
    : operation.method === 'get'
      ? fc.constant(undefined)
      : fc.oneof(fc.constant(undefined), fc.constantFrom(...JUNK_BODIES));
  return fc
    .tuple(fc.tuple(...paths), fc.tuple(...queries), junk, headers, bodies)
    .map(([parts, given, more, sentHeaders, body]): Sent => {
      const behind = [...given, more].filter((each) => each !== '').join('&');
      return {
        method: operation.method.toUpperCase(),
        path: parts.join('/') + (behind === '' ? '' : `?${behind}`),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...sentHeaders },
        body,
      };
    });
}

test('every request that the OpenAPI document describes, valid or not, gets a response it describes', async () => {
  const { service, spareId, operations, problem } = await fuzzed();
  const { files } = (await service.ask('/v1/files')).body;
  const fileIds = files.map(({ id }: { id: string }) => id);
  const runs = times(25, 1500);
  const statuses = new Map<number, number>();
  for (const operation of operations) {
    await fc.assert(
      fc.asyncProperty(requests(operation, { service, spareId, fileIds }), async (request) => {
        const got = await send(service.url, request);
        statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1);
        expect(problem(operation, got)).toBeUndefined();
      }),
      { numRuns: runs },
    );
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect((await service.ask('/v1/files/search?query=kettle')).status).toBe(200);
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`);
  tell(
    `http-fuzz: ${operations.length * runs} requests from the OpenAPI document answered as it says: ${counts.join(', ')}`,
  );
});

test('an upload of any bytes and type is indexed or says why not, and matches the OpenAPI document', async () => {
  const { service, operations, problem } = await fuzzed();
  const upload = operations.find(({ operationId }) => operationId === 'upload') as Operation;
  const get = operations.find(({ operationId }) => operationId === 'getFile') as Operation;
  const headers = { authorization: `Bearer ${service.token}`, 'x-bot-id': service.botId };
  const files = await service.host.bot(service.botId);
  const types = fc.constantFrom(...formats.contentTypes, 'text/plain; charset=utf-8', 'a/b');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), text, types, async (bytes, name, contentType) => {
      const key = `${name.toWellFormed().replace(/\p{Cc}/gu, '')}.md`.slice(0, 1000).toWellFormed();
      const { file } = await files.upsertFile({ key, size: bytes.length, index: true, contentType });
      const secret = path.posix.basename(file.uploadUrl);
      const sent = { method: 'PUT', path: `/v1/uploads/${secret}`, headers: { 'content-type': 'a/b' }, body: bytes };
      const taken = await send(service.url, sent);
      expect([taken.status, problem(upload, taken)]).toEqual([200, undefined]);
      const got = await send(service.url, { method: 'GET', path: `/v1/files/${file.id}`, headers });
      expect([got.status, problem(get, got)]).toEqual([200, undefined]);
      const content = await send(service.url, { method: 'GET', path: `/v1/files/${file.id}/content`, headers });
      expect(content.status).toBe(200);
    }),
    { numRuns: times(20, 500) },
  );
  await until(() => service.host.status().pending === 0);
  for (let nextToken: string | undefined; ; ) {
    const page = await files.listFiles({ pageSize: 100, nextToken });
    for (const { status, failedStatusReason } of page.files) {
      if (status === 'indexing_completed') continue;
      expect([status, failedStatusReason]).toEqual(['indexing_failed', expect.stringMatching(/\.$/)]);
    }
    nextToken = page.meta.nextToken;
    if (nextToken === undefined) break;
  }
});

test('prototype keys in queries, paths and bodies are rejected or unknown, and never widen a filter', async () => {
  const { service } = await fuzzed();
  const status = async (path: string) => (await service.ask(path)).status;
  for (const filter of [
    'tags.__proto__=x',
    'tags[__proto__]=x',
    'tags%5B__proto__%5D=x',
    'tags.kind.__proto__=x',
    'tags.__proto__.not=x',
    '__proto__.tags=x',
    '__proto__[limit]=1',
    `tags=${encodeURIComponent('{"__proto__":"x"}')}`,
  ]) {
    expect([filter, await status(`/v1/files/search?query=kettle&${filter}`)]).toEqual([filter, 400]);
  }
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    const { body } = await service.ask(`/v1/files/search?query=kettle&tags.${name}=nobody`);
    expect([name, body.passages]).toEqual([name, []]);
    expect((await service.ask(`/v1/files/tags/${name}/values`)).body.values).toEqual(
      name === 'constructor' ? ['x'] : [],
    );
  }
  expect(await status('/v1/files/__proto__')).toBe(404);
  for (const key of ['__proto__', 'a.constructor', 'b.toString', 'c.__proto__']) {
    const announced = await service.ask('/v1/files', { method: 'PUT', body: { key, size: 1 } });
    expect([key, announced.status, announced.body.file?.contentType]).toEqual([key, 200, 'application/octet-stream']);
    expect((await service.ask(`/v1/files/${encodeURIComponent(key)}`, { method: 'DELETE' })).status).toBe(200);
  }
  const headers = { 'content-type': 'application/json' };
  for (const body of [
    '{"key":"p.md","size":1,"__proto__":{"index":true}}',
    '{"key":"p.md","size":1,"tags":{"__proto__":"x"}}',
    '{"key":"p.md","size":1,"metadata":{"a":{"__proto__":{"polluted":1}}}}',
  ]) {
    expect([body, (await service.ask('/v1/files', { method: 'PUT', headers, body })).status]).toEqual([body, 400]);
  }
  expect(await status('/v1/files/p.md')).toBe(404);
  // Data like any other, in process too.
  const metadata = { constructor: { prototype: { polluted: 1 } } };
  const stored = await service.ask('/v1/files', { method: 'PUT', body: { key: 'p.md', size: 1, metadata } });
  expect(stored.body.file.metadata).toEqual(metadata);
  expect('polluted' in {}).toBe(false);
});

test('a request that is too large is rejected with the documented error', async () => {
  const { service } = await fuzzed();
  const { url, token, botId } = service;
  const own = { authorization: `Bearer ${token}`, 'x-bot-id': botId };
  const json = { ...own, 'content-type': 'application/json' };
  const long = 'a'.repeat(40_000);
  const announced = (body: string): Sent => ({ method: 'PUT', path: '/v1/files', headers: json, body });
  const put = (body: object) => announced(JSON.stringify({ key: 'a.md', size: 1, ...body }));
  const get = (path: string, headers = {}): Sent => ({ method: 'GET', path, headers: { ...own, ...headers } });
  const deep = (depth: number) =>
    announced(`{"key":"a.md","size":1,"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`);
  const passages = Array.from({ length: 10_001 }, () => ({ content: 'a' }));
  const files = await service.host.bot(botId);
  const { file } = await files.upsertFile({ key: 'big.md', size: 101 * 1024 * 1024 });
  const secret = path.posix.basename(file.uploadUrl);
  const rows: readonly (readonly [string, Sent, number, string])[] = [
    ['an address', get(`/v1/files/search?query=${long}`), 431, 'LimitExceeded'],
    ['a path', get(`/v1/files/${'a'.repeat(12_001)}`), 400, 'InvalidIdentifier'],
    ['a key', get(`/v1/files/${'a'.repeat(1001)}`), 400, 'InvalidQuery'],
    ['a header', get('/v1/files', { 'x-user-id': long }), 431, 'LimitExceeded'],
    ['many headers', get('/v1/files', many(3000)), 431, 'LimitExceeded'],
    ['many parameters', get(`/v1/files/search?${'a&'.repeat(1001)}query=a`), 400, 'InvalidQuery'],
    ['a query', get(`/v1/files/search?query=${'a'.repeat(2049)}`), 400, 'InvalidQuery'],
    ['many ids', get(`/v1/files?${'ids=a&'.repeat(51)}`), 400, 'InvalidQuery'],
    ['a tag', put({ tags: { a: 'a'.repeat(1001) } }), 400, 'InvalidPayload'],
    ['a content type', put({ contentType: 'a'.repeat(201) }), 400, 'InvalidPayload'],
    ['a size', put({ size: 101 * 1024 * 1024 }), 413, 'PayloadTooLarge'],
    ['metadata too deep', deep(102), 400, 'InvalidPayload'],
    ['metadata far too deep', deep(100_000), 400, 'InvalidPayload'],
    ['a body', put({ metadata: { a: 'a'.repeat(1024 * 1024) } }), 413, 'PayloadTooLarge'],
    [
      'passages',
      { method: 'PUT', path: '/v1/files/a.md/passages', headers: json, body: JSON.stringify({ passages }) },
      400,
      'InvalidPayload',
    ],
    [
      'an upload',
      { method: 'PUT', path: `/v1/uploads/${secret}`, body: Buffer.alloc(101 * 1024 * 1024) },
      413,
      'PayloadTooLarge',
    ],
  ];
  for (const [what, sent, status, type] of rows) {
    const got = await send(url, sent);
    expect([what, got.status, JSON.parse(got.text).type]).toEqual([what, status, type]);
  }
  expect((await send(url, deep(100))).status).toBe(200);
});

test('without a valid upload URL the service does not read a body', async () => {
  const { url } = await serviceOf();
  const head = 'PUT /v1/uploads/guessed HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n';
  const answer = await exchange(url, `${head}\r\nonly this`);
  expect(statusesOf(answer)[0]).toBe(404);
  expect(answer).toContain('"type":"ResourceNotFound"');
});

test('any altered nextToken is rejected', async () => {
  const { service } = await fuzzed();
  const lists = [
    '/v1/files?pageSize=1',
    '/v1/files?pageSize=1&sortField=key&sortDirection=asc',
    '/v1/files/a.md/passages?limit=1',
    '/v1/files/tags',
    '/v1/files/tags/kind/values',
    '/v1/admin/bots?pageSize=1',
  ];
  const begins = [['files.created_at', 'desc'], ['files.key', 'asc'], ['passages'], ['tags'], ['created_at', 'desc']];
  const token = fc.tuple(fc.constantFrom(...begins), fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lists), token, async (list, [begin, rest]) => {
      const nextToken = Buffer.from(JSON.stringify([...begin, ...rest])).toString('base64url');
      const { status } = await service.ask(`${list}${list.includes('?') ? '&' : '?'}nextToken=${nextToken}`);
      expect([200, 400]).toContain(status);
    }),
    { numRuns: times(60, 2000) },
  );
});

const VALID = 'GET /v1/files/search?query=kettle HTTP/1.1\r\nHost: localhost\r\n';
const PUT = 'PUT /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

const BROKEN: readonly (readonly [string, string])[] = [
  ['a chunk without a size', `${PUT}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`],
  ['a chunk longer than it says', `${PUT}Transfer-Encoding: chunked\r\n\r\n2\r\n{"key":1}\r\n0\r\n\r\n`],
  ['a chunk of a size that no memory has', `${PUT}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`],
  ['no last chunk', `${PUT}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`],
  ['a negative length', `${PUT}Content-Length: -1\r\n\r\n{}`],
  ['a length that is not a number', `${PUT}Content-Length: 2x\r\n\r\n{}`],
  ['two lengths', `${PUT}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a length and chunks', `${PUT}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a body shorter than its length', `${PUT}Content-Length: 200\r\n\r\n{`],
  ['a body longer than its length', `${PUT}Content-Length: 2\r\n\r\n{}{}{}{}`],
  ['half a request', 'GET /v1/fi'],
  ['half a header', `${VALID}Authoriz`],
  ['nothing', ''],
  ['blank lines', '\r\n\r\n\r\n'],
  ['a NUL in the address', 'GET /v1/files/a\u0000b HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a NUL in a header', `${VALID}X-A: a\u0000b\r\n\r\n`],
  ['a NUL in a header name', `${VALID}X\u0000A: a\r\n\r\n`],
  ['a folded header', `${VALID}X-A: a\r\n b\r\n\r\n`],
  ['a blank before the colon', `${VALID}X-A : a\r\n\r\n`],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['two Hosts', `${VALID}Host: evil.example\r\n\r\n`],
  ['an unknown method', 'BREW /v1/files HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['CONNECT', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an upgrade', `${VALID}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['an expectation', `${PUT}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 'GET /\r\n\r\n'],
  ['an absolute address', 'GET http://evil.example/v1/files HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
];

test('an incomplete HTTP request is rejected or its connection closed, and the next request is served', async () => {
  const { url, host, botId } = await serviceOf();
  for (const [what, bytes] of BROKEN) {
    const statuses = statusesOf(await exchange(url, bytes));
    expect([what, statuses.filter((status) => status < 400 || status >= 500)]).toEqual([what, []]);
    expect((await send(url, { method: 'GET', path: '/healthz' })).status).toBe(200);
  }
  expect((await (await host.bot(botId)).listFiles()).files).toEqual([]);
});

test('OPTIONS * is answered with no content', async () => {
  const { url } = await serviceOf();
  expect(statusesOf(await exchange(url, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'))).toEqual([204]);
});

test('pipelined requests on one connection are answered in order', async () => {
  const { url } = await serviceOf();
  const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const nothing = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answer = await exchange(url, `${health}${nothing}${VALID}\r\n${health}`);
  expect(statusesOf(answer)).toEqual([200, 404, 401, 200]);
});

test('the rejection of an invalid request is never mistaken for the response to the one before', async () => {
  const { url } = await serviceOf();
  const answer = await exchange(url, `${VALID}\r\nnonsense\r\n\r\n`);
  expect([[], [401], [401, 400]]).toContainEqual(statusesOf(answer));
  expect(statusesOf(await exchange(url, `${PUT}Content-Length: 2x\r\n\r\n{}`))).toEqual([400]);
});

test('any bytes on a connection end in responses or its end, and the next request is served', async () => {
  const { url, token, botId } = await serviceOf({ requestsPerMinute: 10_000_000 });
  const own = `Authorization: Bearer ${token}\r\nX-Bot-Id: ${botId}\r\n`;
  const whole = [
    `${VALID}${own}\r\n`,
    `${PUT}${own}Content-Length: 24\r\n\r\n{"key":"a.md","size":10}`,
    `${PUT}${own}Transfer-Encoding: chunked\r\n\r\n18\r\n{"key":"a.md","size":10}\r\n0\r\n\r\n`,
  ];
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(3),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(...['\r\n', '\r', '\n', ':', '%'].map(Buffer.from)),
    ),
  });
  const runs = times(60, 3000);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...whole), { minLength: 1, maxLength: 3 }),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 0.3, max: 1.5, noNaN: true }),
      async (parts, edits, keep) => {
        let bytes = Buffer.from(parts.join(''));
        for (const { at, remove, insert } of edits) {
          const place = Math.floor(at * bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)]);
        }
        const statuses = statusesOf(await exchange(url, bytes.subarray(0, Math.floor(keep * bytes.length))));
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      },
    ),
    { numRuns: runs },
  );
  expect((await send(url, { method: 'GET', path: '/healthz' })).status).toBe(200);
  tell(`http-fuzz: ${runs} connections with damaged bytes: none failed, none hung`);
});

/** A number of headers with distinct names. */
function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'aaaaaaaa']));
}
