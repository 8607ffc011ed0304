import { expect, test } from 'vitest';
import type { SearchFilesRequest, TagFilter } from 'waymark';
import { wire } from './support/wire.js';

async function sent(request: Omit<SearchFilesRequest, 'query'> & { query?: string }): Promise<string[]> {
  const { client, lines } = await wire([{ body: { passages: [] } }]);
  await client.searchFiles({ query: 'q', ...request });
  const [line = ''] = lines;
  return line.slice(line.indexOf('?') + 1).split('&');
}

async function sentTags(tags: TagFilter): Promise<string[]> {
  return (await sent({ tags })).filter((pair) => pair.startsWith('tags'));
}

test('every option is sent, with its default if it is missing', async () => {
  expect(
    await sent({ query: 'a&b=c+d é鍵', contextDepth: 0, limit: 50, consolidate: true, includeBreadcrumb: true }),
  ).toEqual([
    'query=a%26b%3Dc%2Bd+%C3%A9%E9%8D%B5',
    'contextDepth=0',
    'limit=50',
    'consolidate=true',
    'includeBreadcrumb=true',
    'withContext=false',
  ]);
});

test('an option that is undefined is not sent', async () => {
  expect(await sent({ mode: undefined, minScore: undefined })).toEqual([
    'query=q',
    'contextDepth=1',
    'limit=20',
    'consolidate=false',
    'includeBreadcrumb=false',
    'withContext=false',
  ]);
});

const DOTTED: readonly (readonly [TagFilter, readonly string[]])[] = [
  [{}, []],
  [{ source: 'kb' }, ['tags.source=kb']],
  [{ source: '' }, ['tags.source=']],
  [{ source: 'kb', kbId: ['a', 'b'] }, ['tags.source=kb', 'tags.kbId=a', 'tags.kbId=b']],
  [{ x: { not: 'c' } }, ['tags.x.not=c']],
  [{ x: { not: ['c', 'd&e'] } }, ['tags.x.not=c', 'tags.x.not=d%26e']],
  [{ x: [], y: { not: [] } }, []],
  [{ x: { in: 'c' } }, ['tags.x=c']],
  [{ x: { in: ['c', 'd'], not: 'e' } }, ['tags.x.in=c', 'tags.x.in=d', 'tags.x.not=e']],
  [{ x: { exists: true } }, ['tags.x.exists=true']],
  [{ x: { in: 'c', exists: true } }, ['tags.x.in=c', 'tags.x.exists=true']],
  [{ x: { not: { exists: true } } }, ['tags.x.exists=false']],
  [{ x: { not: { in: ['c'] } } }, ['tags.x.not=c']],
  [{ größe: '1' }, ['tags.gr%C3%B6%C3%9Fe=1']],
];

test.each(DOTTED)('tags %j are sent with dots and repeated keys: %j', async (tags, pairs) => {
  expect(await sentTags(tags)).toEqual(pairs);
});

const AS_JSON: readonly TagFilter[] = [
  { 'a.b': 'c' },
  { 'a.not': 'c' },
  { 'a[b]': 'c' },
  { 0: 'c' },
  { '': 'c' },
  { toString: 'c' },
  { x: { exists: true, not: { exists: true } } },
  { kbId: Array.from({ length: 21 }, (_, i) => String(i)) },
];

test.each(AS_JSON)('tags %j, whose dotted form could be misread, are sent as JSON', async (tags) => {
  const [pair = '', ...others] = await sentTags(tags);
  expect(others).toEqual([]);
  expect(JSON.parse(new URLSearchParams(pair).get('tags') ?? '')).toEqual(tags);
});
