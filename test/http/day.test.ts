import { Client } from '@botpress/client';
import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { answer, type Service, serviceOf } from './service.js';

// The client would ask a proxy even for this machine.
process.env.NO_PROXY = '127.0.0.1';

// biome-ignore lint/suspicious/noExplicitAny: the day reads what it expects; other tests check the shapes
type Answer = any;

/** Calls an operation by its name; a refusal is its status. */
type Call = (operation: string, request?: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** A way to call a service for a bot. */
type Way = (service: Service, botId: string) => Promise<Call>;

/** By the unmodified client. */
const byClient: Way = async ({ url, token, workspaceId }, botId) => {
  const client = new Client({ apiUrl: url, token, workspaceId, botId });
  return async (operation, request = {}) => {
    const method: unknown = Reflect.get(client, operation);
    if (typeof method !== 'function') throw new RangeError(`The client has no method ${operation}.`);
    try {
      return await method.call(client, request);
    } catch (error) {
      return (error as { code: number }).code;
    }
  };
};

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
}

/** By nothing but what the OpenAPI document says. */
const byDocument: Way = async ({ url, token, workspaceId }, botId) => {
  const document = (await answer(new URL('/openapi.json', url), {})).body;
  const operations = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
  );
  const call: Call = async (name, { idOrKey, content, ...given } = {}) => {
    if (name === 'uploadFile') return upload(call, { ...given, content });
    const request: Record<string, unknown> = idOrKey === undefined ? given : { id: idOrKey, ...given };
    const { method, path, parameters, requestBody } = found(operations, name);
    const at = (place: string) => parameters.filter((each) => each.in === place && request[each.name] !== undefined);
    const target = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(request[field])));
    const query = at('query').flatMap(({ name: field }) => parametersOf(field, request[field]));
    const headers = Object.fromEntries(at('header').map(({ name: field }) => [field, String(request[field])]));
    const named = new Set(parameters.map((each) => each.name));
    const body = Object.fromEntries(Object.entries(request).filter(([field]) => !named.has(field)));
    const asked = await answer(new URL(`${target}?${query.join('&')}`, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId, 'x-bot-id': botId, ...headers },
      ...(requestBody && { body }),
    });
    return asked.status === 200 ? asked.body : asked.status;
  };
  return call;
};

function found<Operation extends Described>(operations: readonly Operation[], name: string): Operation {
  const operation = operations.find(({ operationId }) => operationId === name);
  if (!operation) throw new RangeError(`The document has no operation ${name}.`);
  return operation;
}

/** A list repeats its name; an object is a `deepObject`, whose members may be objects and lists, too. */
function parametersOf(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encodeURIComponent(String(value))}`];
  if (Array.isArray(value)) return value.flatMap((each) => parametersOf(name, each));
  return Object.entries(value).flatMap(([key, each]) =>
    parametersOf(`${name}[${encodeURIComponent(key)}]${Array.isArray(each) ? '[]' : ''}`, each),
  );
}

async function upload(call: Call, { content, ...request }: Readonly<Record<string, unknown>>): Promise<Answer> {
  const announced = await call('upsertFile', { ...request, size: Buffer.byteLength(content as string) });
  if (typeof announced === 'number') return announced;
  await answer(new URL(announced.file.uploadUrl), { method: 'PUT', body: content });
  return announced;
}

const NOTEBOOK = { nbformat: 4, cells: [{ cell_type: 'markdown', source: ['# Otters\n', 'Otters hold hands.'] }] };

/** Files of seven kinds, each with words that no other has. */
const FILES: readonly (readonly [key: string, content: string, query: string])[] = [
  ['kettle guide.md', '# Kettle\n\nDescale it with vinegar.\n', 'descale vinegar'],
  ['notes.txt', 'Walruses rest on floating ice.\n', 'walruses floating'],
  ['birds.html', '<h1>Birds</h1><p>Herons fish at <b>dawn</b>.</p>', 'herons dawn'],
  ['food.csv', 'animal,food\ntapir,leaves and buds\n', 'tapir buds'],
  ['bark.tsv', 'animal\tfood\nquokka\tgrass and bark\n', 'quokka bark'],
  ['fruit.jsonl', '{"animal":"lemur","food":"fruit and flowers"}\n', 'lemur flowers'],
  ['river.ipynb', JSON.stringify(NOTEBOOK), 'otters hands'],
];

test.each([
  ['the unmodified client', byClient],
  ['raw HTTP as the OpenAPI document says', byDocument],
])('a day of a bot developer, by %s', async (_, way) => {
  const service = await serviceOf();
  const call = await way(service, service.botId);
  const indexed = (key: string) => async () => {
    const { file } = await call('getFile', { id: key });
    return /^indexing_(completed|failed)$/.test(file.status);
  };
  const first = async (query: string, request = {}) =>
    (await call('searchFiles', { query, ...request })).passages[0]?.file.key;
  const keys = async (tags: object) => {
    const { passages } = await call('searchFiles', { query: 'animal', tags, limit: 50 });
    return passages.map(({ file }: Answer) => file.key).sort();
  };

  // Morning: the documents.
  const { knowledgeBase: zoo } = await call('createKnowledgeBase', { name: 'Zoo' });
  const { knowledgeBase: kitchen } = await call('createKnowledgeBase', { name: 'Kitchen', tags: { floor: 'ground' } });
  for (const [key, content] of FILES) {
    const tags = { kbId: key.startsWith('kettle') ? kitchen.id : zoo.id, kind: key.replace(/.*\./, '') };
    await call('uploadFile', { key, content, index: true, tags });
  }
  for (const [key, , query] of FILES) {
    await until(indexed(key));
    expect([key, await first(query)]).toEqual([key, key]);
  }
  expect((await call('listFiles', { tags: { kbId: zoo.id }, pageSize: 50 })).files).toHaveLength(6);

  // Every filter.
  expect(await keys({ kind: 'csv' })).toEqual(['food.csv']);
  expect(await keys({ kind: ['csv', 'tsv'] })).toEqual(['bark.tsv', 'food.csv']);
  expect(await keys({ kind: { in: ['csv', 'jsonl'] }, kbId: zoo.id })).toEqual(['food.csv', 'fruit.jsonl']);
  expect(await keys({ kind: { not: ['csv', 'tsv', 'jsonl', 'txt', 'html'] } })).toEqual([
    'kettle guide.md',
    'river.ipynb',
  ]);
  await call('updateFileMetadata', { id: 'notes.txt', tags: { draft: 'yes', kind: null } });
  expect(await keys({ draft: { exists: true } })).toEqual(['notes.txt']);
  expect(await keys({ kind: { not: { exists: true } } })).toEqual(['notes.txt']);
  expect(await call('searchFiles', { query: 'animal', tags: { kind: { exist: true } } })).toBe(400);

  // Noon: links, opened without a token.
  const { file: page } = await call('getFile', { id: 'birds.html' });
  const opened = await fetch(page.url);
  expect([opened.status, await opened.text()]).toEqual([200, FILES[2]?.[1]]);
  expect(opened.headers.get('content-security-policy')).toContain('sandbox');
  expect((await fetch(page.url, { headers: { range: 'bytes=0-3' } })).status).toBe(206);
  expect((await fetch(page.url.replace(/signature=[^&]+/, 'signature=AAAA'))).status).toBe(403);
  const published = { key: 'public.txt', content: 'Open to all.', accessPolicies: ['public_content'] };
  const { file: open } = await call('uploadFile', published);
  expect(open.url).not.toContain('?');
  expect(await (await fetch(open.url)).text()).toBe('Open to all.');

  // A copy, here and in another bot.
  const { bot: other } = await call('createBot', { name: 'other' });
  const theirs = await way(service, other.id);
  await call('copyFile', { idOrKey: 'kettle guide.md', destinationKey: 'copy.md' });
  await until(indexed('copy.md'));
  await call('copyFile', { idOrKey: 'food.csv', destinationKey: 'food.csv', 'x-destination-bot-id': other.id });
  await until(async () => (await theirs('searchFiles', { query: 'tapir' })).passages.length > 0);
  expect(await call('copyFile', { idOrKey: 'food.csv', destinationKey: 'copy.md' })).toBe(409);

  // Afternoon: what expires is gone, and what cannot be read is found by nothing.
  const expiresAt = new Date(Date.now() + 1000).toISOString();
  await call('uploadFile', { key: 'today.md', content: 'Today only: marzipan.', index: true, expiresAt });
  await until(async () => (await call('getFile', { id: 'today.md' })) === 404);
  expect(await keys({})).not.toContain('today.md');
  expect(await call('uploadFile', { key: 'late.md', content: 'a', expiresAt: '2001-01-01T00:00:00Z' })).toBe(400);
  const broken = { key: 'kettle guide.md', content: 'no picture', contentType: 'image/png', index: true };
  await call('uploadFile', broken);
  await until(indexed('kettle guide.md'));
  const { file: failed } = await call('getFile', { id: 'kettle guide.md' });
  expect([failed.status, failed.failedStatusReason]).toEqual([
    'indexing_failed',
    expect.stringMatching(/^image\/png is not indexed/),
  ]);
  expect(await first('descale vinegar')).toBe('copy.md');
  await call('deleteFile', { id: 'copy.md' });
  expect(await keys({ kbId: kitchen.id })).toEqual([]);

  // Evening: everything is deleted.
  expect(await call('deleteKnowledgeBase', { id: zoo.id })).toEqual({});
  expect((await call('listFiles', {})).files.map(({ key }: Answer) => key).sort()).toEqual([
    'kettle guide.md',
    'public.txt',
  ]);
  expect(await call('deleteBot', { id: other.id })).toEqual({});
  expect(await theirs('searchFiles', { query: 'tapir' })).toBe(404);
  expect(await keys({})).toEqual([]);
});
