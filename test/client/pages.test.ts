import { expect, test } from 'vitest';
import { BOT_SUMMARY, FILE, KNOWLEDGE_BASE, PASSAGE } from './support/recorded.js';
import { type Answer, wire } from './support/wire.js';

const FILES: readonly Answer[] = [
  {
    body: {
      files: [
        { ...FILE, key: 'a' },
        { ...FILE, key: 'b' },
      ],
      meta: { nextToken: '2' },
    },
  },
  { body: { files: [], meta: { nextToken: '3' } } },
  { body: { files: [{ ...FILE, key: 'c' }], meta: {} } },
];

const FIRST = 'GET /v1/files?pageSize=2&sortField=createdAt&sortDirection=desc';
const SECOND = 'GET /v1/files?nextToken=2&pageSize=2&sortField=createdAt&sortDirection=desc';
const THIRD = 'GET /v1/files?nextToken=3&pageSize=2&sortField=createdAt&sortDirection=desc';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const got: Item[] = [];
  for await (const item of items) got.push(item);
  return got;
}

test('iterates over all pages in order, including an empty one', async () => {
  const { client, lines } = await wire(FILES);
  expect((await all(client.eachFile({ pageSize: 2 }))).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  expect(lines).toEqual([FIRST, SECOND, THIRD]);
});

test('fetches a page when the one before is used up, and none after a break', async () => {
  const { client, lines } = await wire(FILES);
  const files = client.eachFile({ pageSize: 2 });
  expect(lines).toEqual([]);
  await files.next();
  await files.next();
  expect(lines).toEqual([FIRST]);
  await files.next();
  expect(lines).toEqual([FIRST, SECOND, THIRD]);
  const stopped = await wire(FILES);
  for await (const { key } of stopped.client.eachFile({ pageSize: 2 })) if (key === 'b') break;
  expect(stopped.lines).toEqual([FIRST]);
});

test('starts with the requested page', async () => {
  const { client, lines } = await wire(FILES.slice(1));
  expect((await all(client.eachFile({ pageSize: 2, nextToken: '2' }))).map(({ key }) => key)).toEqual(['c']);
  expect(lines).toEqual([SECOND, THIRD]);
});

test('every list has an iterator', async () => {
  const { client, lines } = await wire([
    { body: { passages: [PASSAGE], meta: {} } },
    { body: { tags: ['kind'], meta: {} } },
    { body: { values: ['guide'], meta: {} } },
    { body: { bots: [BOT_SUMMARY], meta: {} } },
    { body: { knowledgeBases: [KNOWLEDGE_BASE], meta: {} } },
  ]);
  expect(await all(client.eachFilePassage({ id: 'a.md', limit: 200 }))).toEqual([PASSAGE]);
  expect(await all(client.eachFileTag())).toEqual(['kind']);
  expect(await all(client.eachFileTagValue({ tag: 'kind' }))).toEqual(['guide']);
  expect(await all(client.eachBot({ sortDirection: 'asc' }))).toEqual([BOT_SUMMARY]);
  expect(await all(client.eachKnowledgeBase())).toEqual([KNOWLEDGE_BASE]);
  expect(lines).toEqual([
    'GET /v1/files/a.md/passages?limit=200',
    'GET /v1/files/tags',
    'GET /v1/files/tags/kind/values',
    'GET /v1/admin/bots?pageSize=20&sortField=createdAt&sortDirection=asc',
    'GET /v1/files/knowledge-bases?pageSize=20',
  ]);
});

test('a server that repeats a page forever is an error', async () => {
  const page: Answer = { body: { files: [FILE], meta: { nextToken: '2' } } };
  const { client, lines } = await wire([page, page]);
  await expect(all(client.eachFile())).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  expect(lines.length).toBe(2);
});

test('the error of a page ends the iteration', async () => {
  const { client } = await wire([FILES[0] ?? 'break', { status: 500, body: '' }]);
  await expect(all(client.eachFile())).rejects.toMatchObject({ code: 'SERVER_FAILED' });
});
