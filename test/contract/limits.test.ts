import { expect, test } from 'vitest';
import type { SearchEngine } from 'waymark';
import { amountOf } from '#src/domain/excess.js';
import { LIMITS, type Limit } from '#src/domain/limits.js';
import { serviceOf } from '../http/service.js';
import { engineOf } from '../support/engine.js';
import { type Transport, transports } from './support/transports.js';

type Name = keyof typeof LIMITS;

/** A request with `n` of what a limit counts. */
type Case = readonly [id: Parameters<Transport>[0], request: (n: number) => object];

const announced = (fields: object) => ({ key: 'b.md', size: 1, ...fields });
const named = (n: number, value: unknown) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, value]));
const nested = (depth: number): object => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** Tags that are `n` bytes of JSON: `{"t0":"…","t1":"…"}`. */
function tagsOf(n: number): object {
  const tags: Record<string, string> = {};
  for (let i = 10, left = n - 1; left > 0; i += 1) {
    const bytes = left > 1000 ? 800 : left;
    tags[`t${i}`] = 'x'.repeat(bytes - 9);
    left -= bytes;
  }
  return tags;
}

const CASES: Partial<Record<Name, Case>> = {
  query: ['searchFiles', (n) => ({ query: 'a'.repeat(n) })],
  searchFilesLimit: ['searchFiles', (n) => ({ query: 'a', limit: n })],
  contextDepth: ['searchFiles', (n) => ({ query: 'a', contextDepth: n })],
  pageSize: ['listFiles', (n) => ({ pageSize: n })],
  listFilePassagesLimit: ['listFilePassages', (n) => ({ id: 'a.md', limit: n })],
  ids: ['listFiles', (n) => ({ ids: Array(n).fill('a') })],
  filterConditions: ['searchFiles', (n) => ({ query: 'a', tags: named(n, { not: 'b' }) })],
  filterValues: ['listFiles', (n) => ({ tags: { a: Array(n).fill('b') } })],
  id: ['getFile', (n) => ({ id: 'a'.repeat(n) })],
  key: ['upsertFile', (n) => announced({ key: 'a'.repeat(n) })],
  contentType: ['upsertFile', (n) => announced({ contentType: `a/${'b'.repeat(n - 2)}` })],
  accessPolicies: ['upsertFile', (n) => announced({ accessPolicies: Array(n).fill('integrations') })],
  tags: ['upsertFile', (n) => announced({ tags: named(n, 'b') })],
  tagsSize: ['upsertFile', (n) => announced({ tags: tagsOf(n) })],
  tagName: ['upsertFile', (n) => announced({ tags: { ['a'.repeat(n)]: 'b' } })],
  tagValue: ['upsertFile', (n) => announced({ tags: { a: 'b'.repeat(n) } })],
  metadata: ['upsertFile', (n) => announced({ metadata: { a: 'b'.repeat(n - 8) } })],
  metadataDepth: ['upsertFile', (n) => announced({ metadata: nested(n + 1) })],
  passages: ['setFilePassages', (n) => ({ id: 'none.md', passages: Array(n).fill({ content: 'a' }) })],
  passage: ['setFilePassages', (n) => ({ id: 'none.md', passages: [{ content: 'a'.repeat(n) }] })],
};

const IN_PROCESS: Partial<Record<Name, (engine: SearchEngine, n: number) => Promise<unknown>>> = {
  searchLimit: (engine, n) => engine.search('a', { limit: n }),
  embedded: (engine, n) => engine.embeddedPassages({ limit: n }),
  paths: (engine, n) => engine.search('a', { path: Array(n).fill('b') }),
  path: (engine, n) => engine.searchFiles({ query: 'a', path: 'b'.repeat(n) }),
  globs: (engine, n) => engine.search('a', { path: ['*'.repeat(n - 1), '?', 'b'.repeat(9)] }),
  name: (engine, n) => engine.createBot({ name: 'a'.repeat(n) }),
};

/** Limits whose tests need more than one request, and where those are. */
const ELSEWHERE: Partial<Record<Name, string>> = {
  response: 'test/http/answer-size.test.ts',
  file: 'test/reliability/markdown.test.ts',
  eventDepth: 'test/event/frozen-copy.test.ts',
  content: 'below: 256 MB are not sent over HTTP',
  upload: 'below',
  body: 'below',
  header: 'below',
  parameters: 'below, and test/http/query-encodings.test.ts',
  parameterItems: 'test/http/query-encodings.test.ts',
  parameterDepth: 'test/http/query-encodings.test.ts',
  requests: 'test/http/limits.test.ts',
  connectionBytes: 'test/http/limits.test.ts',
  tokenBytes: 'test/http/limits.test.ts',
  botBytes: 'test/http/limits.test.ts',
  waitingUploads: 'test/http/limits.test.ts',
};

/** Whether a message is about this limit: it has its name and its value. */
function isAbout({ name, value, unit, ...limit }: Limit, message: unknown): boolean {
  const text = String(message);
  return (
    text.includes(name) && (text.includes(String(value)) || text.includes(amountOf({ name, value, unit, ...limit })))
  );
}

test('every limit that causes a refusal has a case here, or is listed with the test that has one', () => {
  const refusing = Object.entries(LIMITS).filter(([, limit]: [string, Limit]) => limit.status !== undefined);
  const names = [...Object.keys(CASES), ...Object.keys(IN_PROCESS), ...Object.keys(ELSEWHERE)];
  expect(names.sort()).toEqual(refusing.map(([name]) => name).sort());
});

test('a value at a limit passes; one beyond it is refused with name and value, in process and over HTTP', async () => {
  const { client, ...both } = await transports();
  for (const [name, [id, request]] of Object.entries(CASES)) {
    const limit: Limit = LIMITS[name as Name];
    // upsertFile is no method of the client.
    const ways = id === 'upsertFile' ? both : { client, ...both };
    const sentences = new Set<unknown>();
    for (const [way, send] of Object.entries(ways)) {
      const at = await send(id, request(limit.value));
      expect([name, way, 'message' in at && isAbout(limit, at.message)]).toEqual([name, way, false]);
      const beyond = await send(id, request(limit.value + 1));
      expect([name, way, beyond]).toMatchObject([name, way, { code: 'INVALID_ARGUMENT' }]);
      const message = 'message' in beyond ? beyond.message : '';
      expect([name, message, isAbout(limit, message)]).toEqual([name, message, true]);
      sentences.add(message);
    }
    expect([name, sentences.size]).toEqual([name, 1]);
  }
});

test('a value at a limit of an engine passes; one beyond it is refused with name and value', async () => {
  const engine = await engineOf();
  for (const [name, call] of Object.entries(IN_PROCESS)) {
    const limit: Limit = LIMITS[name as Name];
    await call(engine, limit.value);
    const error = await call(engine, limit.value + 1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect([name, isAbout(limit, error)]).toEqual([name, true]);
  }
});

test('a value beyond a limit is refused with the limit and the value', async () => {
  const { 'in process': ask } = await transports();
  const message = async (...[id, request]: Parameters<Transport>) => Object(await ask(id, request)).message;
  expect(await message('searchFiles', { query: 'a', tags: named(1001, 'b') })).toBe(
    'The filter must have at most 100 conditions; it has 1001.',
  );
  expect(await message('upsertFile', announced({ tags: named(101, 'b') }))).toBe(
    'tags must have at most 100 names; it has 101.',
  );
  expect(await message('upsertFile', announced({ metadata: { a: 'b'.repeat(1 << 20) } }))).toBe(
    'metadata must have at most 64 KB of JSON.',
  );
  expect(await message('setFilePassages', { id: 'a.md', passages: [{ content: 'é'.repeat(40_000) }] })).toBe(
    "A passage's content must have at most 64 KB; it has 80000 bytes.",
  );
});

test('what is added to tags and metadata counts together with what a file has', async () => {
  for (const [name, ask] of Object.entries(await transports())) {
    const add = (fields: object) => ask('updateFileMetadata', { id: 'a.md', ...fields });
    await add({ metadata: { a: 'x'.repeat(40_000) } });
    expect([name, await add({ metadata: { b: 'x'.repeat(40_000) } })]).toEqual([
      name,
      { code: 'INVALID_ARGUMENT', message: 'metadata must have at most 64 KB of JSON: delete some with null.' },
    ]);
    expect(await add({ metadata: { a: null, b: 'x'.repeat(40_000) } })).toHaveProperty('answer');
    await add({ tags: named(90, 'x'), metadata: { b: null } });
    expect([
      name,
      await add({ tags: { ...named(90, 'x'), ...Object.fromEntries([...'abcdefghijk'].map((k) => [k, ''])) } }),
    ]).toEqual([
      name,
      { code: 'INVALID_ARGUMENT', message: 'tags must have at most 100 names; it has 102: delete some with null.' },
    ]);
    await add({ tags: named(90, null) });
  }
});

test('more content than an upload may have is refused before it is stored', async () => {
  const { 'in process': ask } = await transports();
  const content = new Uint8Array(LIMITS.content.value + 1);
  const upload = ask as (id: never, request: object) => ReturnType<Transport>;
  expect(await upload('uploadFile' as never, { key: 'b.bin', content })).toEqual({
    code: 'INVALID_ARGUMENT',
    message: 'content must have at most 256 MB; it has 268435457 bytes.',
  });
});

test('a request over HTTP beyond a limit is answered with its status, name and value', async () => {
  const { ask } = await serviceOf();
  const json = { 'content-type': 'application/json' };
  const put = (body: unknown) => ask('/v1/files', { method: 'PUT', body, headers: json });
  expect(await put(announced({ size: LIMITS.upload.value }))).toMatchObject({ status: 200 });
  expect(await put(announced({ size: LIMITS.upload.value + 1 }))).toMatchObject({
    status: 413,
    body: { type: 'PayloadTooLarge', message: 'size must be at most 100 MB; it is 104857601.' },
  });
  expect(await put(announced({ size: LIMITS.content.value + 1 }))).toMatchObject({
    status: 413,
    body: { type: 'PayloadTooLarge', message: 'size must be at most 100 MB; it is 268435457.' },
  });
  const padded = (bytes: number) => `${JSON.stringify(announced({}))}${' '.repeat(bytes)}`.slice(0, bytes);
  expect(await put(padded(LIMITS.body.value))).toMatchObject({ status: 200 });
  expect(await put(padded(LIMITS.body.value + 1))).toMatchObject({
    status: 413,
    body: { type: 'PayloadTooLarge', message: 'The body must have at most 1 MB: send less.' },
  });
  expect(await ask('/v1/files', { headers: { 'x-long': 'a'.repeat(LIMITS.header.value) } })).toMatchObject({
    status: 431,
    body: { type: 'LimitExceeded', message: 'The URL and the headers must have at most 32 KB: shorten them.' },
  });
  const parameters = (n: number) => ask(`/v1/files?${Array(n).fill('a').join('&')}`);
  expect(await parameters(LIMITS.parameters.value)).toMatchObject({ status: 200 });
  expect(await parameters(LIMITS.parameters.value + 1)).toMatchObject({
    status: 400,
    body: { message: 'The query string must have at most 1000 parameters; it has 1001: send fewer.' },
  });
});
