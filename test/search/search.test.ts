import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';
import { GUIDE, indexed } from './indexed.js';

test('a hit has a score, the passage with its place, and the file', async () => {
  const engine = await engineOf({ passageTokens: 60 });
  await engine.indexFile('docs/a.md', GUIDE, { tags: { kind: 'guide' } });
  const { passages } = await engine.searchFiles({
    query: 'guide install apples',
    limit: 1,
    contextDepth: 0,
    withContext: true,
  });
  expect(await engine.search('guide install apples', { limit: 1 })).toStrictEqual([
    {
      score: expect.any(Number),
      passage: {
        id: passages[0]?.context?.[0]?.id,
        content: 'apples',
        display: 'apples',
        breadcrumb: ['Guide', 'Install'],
        subtype: 'paragraph',
        position: 1,
        start: 37,
        end: 43,
        startLine: 7,
        endLine: 7,
      },
      file: {
        id: passages[0]?.file.id,
        key: 'docs/a.md',
        contentType: 'text/markdown',
        metadata: {},
        tags: { kind: 'guide' },
        createdAt: passages[0]?.file.createdAt,
        updatedAt: passages[0]?.file.updatedAt,
      },
    },
  ]);
});

test('hits come best first, those with the same score by key, then position', async () => {
  const engine = await indexed({
    'b.md': '## x\n\napple\n\n## x\n\napple\n',
    'a.md': '## x\n\napple\n',
    'c.md': 'apple',
  });
  const hits = await engine.search('apple');
  expect(hits.map(({ file, passage }) => [file.key, passage.position])).toEqual([
    ['c.md', 0],
    ['a.md', 0],
    ['b.md', 0],
    ['b.md', 1],
  ]);
});

test('limit is 20 by default, and at most 1000', async () => {
  const sections = Array.from({ length: 1100 }, (_, i) => `## S${i}\n\nword`);
  const engine = await indexed({ 'a.md': sections.join('\n\n') });
  expect(await engine.search('word')).toHaveLength(20);
  expect(await engine.search('word', { limit: 1 })).toHaveLength(1);
  const thousand = await engine.search('word', { limit: 1000 });
  expect(thousand.map(({ passage }) => passage.position)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  expect(await engine.search('word', { limit: 100 })).toEqual(thousand.slice(0, 100));
});

test('hits below minScore are left out, those at it are not', async () => {
  const engine = await indexed({ 'a.md': 'apple', 'b.md': 'apple pear', 'c.md': 'pear' });
  const keys = async (minScore: number) => (await engine.search('apple', { minScore })).map(({ file }) => file.key);
  const [first, second] = await engine.search('apple');
  expect(await keys(0)).toEqual(['a.md', 'b.md', 'c.md']);
  expect(await keys(second?.score ?? 0)).toEqual(['a.md', 'b.md']);
  expect(await keys(first?.score ?? 0)).toEqual(['a.md']);
  expect(await keys(1)).toEqual([]);
});

test('a search in an empty bot finds nothing', async () => {
  const engine = await engineOf();
  expect(await engine.search('anything')).toEqual([]);
});

test('an index gives the same hits, whichever way its vectors are searched', async () => {
  const words = ['red', 'green', 'apple', 'pear', 'plum', 'tree', 'basket'];
  const text = (i: number) => [i, i >> 1, i >> 2, i >> 3].map((n) => words[n % 7]).join(' ');
  const [exact, hnsw] = [await engineOf({ index: 'exact' }), await engineOf({ index: 'hnsw' })];
  for (const engine of [exact, hnsw]) {
    await engine.indexFile('a.md', Array.from({ length: 200 }, (_, i) => `## S${i}\n\n${text(i)}`).join('\n\n'));
  }
  expect((await exact.status()).index).toBe('exact');
  expect((await hnsw.status()).index).toBe('hnsw');
  const place = async (engine: typeof exact, query: string) =>
    (await engine.search(query, { limit: 5 })).map(({ passage, score }) => [
      passage.position,
      expect.closeTo(score, 5),
    ]);
  expect(await place(hnsw, 'red apple')).toEqual(await place(exact, 'red apple'));
});
