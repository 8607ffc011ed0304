import fc from 'fast-check';
import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';
import { GUIDE, indexed } from './indexed.js';

const ULID = /^file_[0-9A-HJKMNP-TV-Z]{26}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a response has the fields of the contract and no others', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', '# Guide\n\nWords about apples.\n');
  expect(await engine.searchFiles({ query: 'guide words about apples' })).toStrictEqual({
    passages: [
      {
        content: 'Words about apples.',
        score: expect.any(Number),
        meta: { type: 'chunk', subtype: 'paragraph', position: 0 },
        file: {
          id: expect.stringMatching(ULID),
          key: 'a.md',
          contentType: 'text/markdown',
          metadata: {},
          tags: {},
          createdAt: expect.stringMatching(ISO),
          updatedAt: expect.stringMatching(ISO),
        },
      },
    ],
  });
});

test('a file comes with its tags and metadata, and sourceUrl goes into meta', async () => {
  const engine = await engineOf();
  await engine.indexFile(
    'a.mdx',
    '---\ntitle: Apples\ntags: { kind: fruit }\nsourceUrl: https://example.com/a\n---\n\nRed.\n',
    { tags: { season: 'autumn' }, metadata: { weight: 3, shop: { open: true } } },
  );
  const { passages } = await engine.searchFiles({ query: 'red' });
  expect(passages).toMatchObject([
    {
      meta: { type: 'chunk', subtype: 'paragraph', position: 0, sourceUrl: 'https://example.com/a' },
      file: {
        contentType: 'text/mdx',
        tags: { kind: 'fruit', season: 'autumn' },
        metadata: { title: 'Apples', sourceUrl: 'https://example.com/a', weight: 3, shop: { open: true } },
      },
    },
  ]);
});

test('a sourceUrl that is not a string is left out of meta', async () => {
  const engine = await indexed({ 'a.md': '---\nsourceUrl: [1]\n---\n\nRed.\n' });
  const { passages } = await engine.searchFiles({ query: 'red' });
  expect(passages[0]?.meta).toStrictEqual({ type: 'chunk', subtype: 'paragraph', position: 0 });
});

test('positions adds the place of the match to meta, whatever its context', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages } = await engine.searchFiles({ query: 'apples', limit: 1, contextDepth: 2, positions: true });
  expect(passages[0]?.meta).toStrictEqual({
    type: 'chunk',
    subtype: 'paragraph',
    position: 1,
    start: 37,
    end: 43,
    startLine: 7,
    endLine: 7,
    breadcrumb: ['Guide', 'Install'],
    display: 'apples',
  });
  expect(GUIDE.slice(37, 43)).toBe('apples');
});

test('passages come by relevance, best first', async () => {
  const engine = await indexed({
    'a.md': 'red apples in a basket',
    'b.md': 'red apples',
    'c.md': 'green pears',
    'd.md': 'red pears in a tree',
  });
  const { passages } = await engine.searchFiles({ query: 'red apples' });
  expect(passages.map(({ file }) => file.key)).toEqual(['b.md', 'a.md', 'd.md', 'c.md']);
  const scores = passages.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  for (const score of scores) expect(score > 0 && score < 1).toBe(true);
});

test('passages with the same score are ordered by key, then position, however many there are', async () => {
  const engine = await indexed(
    Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`${89 - i}.md`.padStart(5, '0'), 'same words'])),
  );
  await engine.indexFile('00.md', '## same\n\nwords\n\n## same\n\nwords\n');
  const { passages } = await engine.searchFiles({ query: 'same words', limit: 4, mode: 'dense' });
  expect(passages.map(({ file, meta }) => [file.key, meta.position])).toEqual([
    ['00.md', 0],
    ['00.md', 1],
    ['01.md', 0],
    ['02.md', 0],
  ]);
});

test('limit is the maximum number of passages, 20 by default', async () => {
  const engine = await indexed(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.md`, `word ${i}`])));
  for (const [limit, length] of [[undefined, 20] as const, [1, 1] as const, [49, 49] as const, [50, 50] as const]) {
    expect((await engine.searchFiles({ query: 'word', limit })).passages).toHaveLength(length);
  }
});

test('the first n results at limit 50 are the results at limit n', async () => {
  const words = ['red', 'green', 'apples', 'pears', 'plums'];
  const texts = Array.from({ length: 120 }, (_, i) => [i, i >> 1, i >> 3, i >> 4].map((n) => words[n % 5]).join(' '));
  const engine = await indexed(Object.fromEntries(texts.map((text, i) => [`${i}.md`, text])));
  const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(' '));
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
      const { passages: fifty } = await engine.searchFiles({ query, limit: 50 });
      const { passages } = await engine.searchFiles({ query, limit });
      expect(passages).toEqual(fifty.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

test('content is the passage alone with contextDepth 0', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages } = await engine.searchFiles({ query: 'apples', contextDepth: 0 });
  expect(passages.map(({ content }) => content).sort()).toEqual(['Opening words.', 'apples', 'pears', 'plums']);
});

test('content reaches one passage to each side unless contextDepth is given, with the headings between', async () => {
  const engine = await indexed({ 'a.md': GUIDE });
  const { passages } = await engine.searchFiles({ query: 'apples', limit: 1 });
  expect(passages[0]?.content).toBe('Opening words.\n\n## Install\n\napples\n\n## Configure\n\npears');
  expect(await engine.searchFiles({ query: 'apples', limit: 1, contextDepth: 1 })).toEqual({ passages });
});

test('content ends where the file does, and takes nothing of another file', async () => {
  const engine = await indexed({ 'a.md': 'before', 'b.md': GUIDE, 'c.md': 'after' });
  const content = async (query: string, contextDepth: number) =>
    (await engine.searchFiles({ query, limit: 1, contextDepth })).passages[0]?.content;
  expect(await content('opening', 1)).toBe('Opening words.\n\n## Install\n\napples');
  expect(await content('plums', 1)).toBe('pears\n\n### Limits\n\nplums');
  expect(await content('plums', 10)).toBe(GUIDE.slice(GUIDE.indexOf('Opening'), -1));
  expect(await content('before', 10)).toBe('before');
});

test('contextDepth 10 reaches ten passages to each side', async () => {
  const sections = Array.from({ length: 30 }, (_, i) => `## S${i}\n\nword${i}`);
  const engine = await indexed({ 'a.md': sections.join('\n\n') });
  const { passages } = await engine.searchFiles({ query: 'word15', limit: 1, contextDepth: 10 });
  const [first, ...others] = sections.slice(5, 26);
  expect(passages[0]?.content).toBe([first?.replace('## S5\n\n', ''), ...others].join('\n\n'));
});

test('a bot without files gives an empty list', async () => {
  const engine = await engineOf();
  expect(await engine.searchFiles({ query: 'anything' })).toStrictEqual({ passages: [] });
  expect(await engine.searchFiles({ query: 'anything', consolidate: true })).toStrictEqual({ passages: [] });
});

test('a file without text gives no passage', async () => {
  const engine = await indexed({ 'a.md': '---\ntitle: Only front matter\n---\n', 'b.md': '\n\n' });
  expect(await engine.searchFiles({ query: 'front matter' })).toStrictEqual({ passages: [] });
});

test('a file that is changed or removed is searched as it is now', async () => {
  const engine = await indexed({ 'a.md': 'apples', 'b.md': 'pears' });
  await engine.indexFile('a.md', 'plums');
  await engine.removeFile('b.md');
  const { passages } = await engine.searchFiles({ query: 'apples pears plums' });
  expect(passages.map(({ content }) => content)).toEqual(['plums']);
});
