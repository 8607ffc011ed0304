import { expect, test } from 'vitest';
import { indexed } from './indexed.js';

const FILES = {
  'README.md': 'counter metric',
  'guides/go/a.md': 'counter metric of go',
  'guides/golang.md': 'counter metric of golang',
  'guides/rust/b.md': 'counter metric of rust',
};

const CASES: readonly (readonly [path: string | string[], keys: readonly string[]])[] = [
  ['README.md', ['README.md']],
  ['guides/go', ['guides/go/a.md']],
  ['./guides/', ['guides/go/a.md', 'guides/golang.md', 'guides/rust/b.md']],
  ['guides/*.md', ['guides/golang.md']],
  ['guides/**/*.md', ['guides/go/a.md', 'guides/golang.md', 'guides/rust/b.md']],
  ['*.md', Object.keys(FILES)],
  [
    ['guides/go', 'b.*'],
    ['guides/go/a.md', 'guides/rust/b.md'],
  ],
  [[], Object.keys(FILES)],
  ['nowhere', []],
];

test('search and searchFiles find passages of files whose key matches the path, or one of the paths', async () => {
  const engine = await indexed(FILES);
  const query = 'counter metric';
  for (const [path, keys] of CASES) {
    const { passages } = await engine.searchFiles({ query, path });
    const { passages: merged } = await engine.searchFiles({ query, consolidate: true, path });
    const hits = await engine.search(query, { path });
    for (const found of [passages, merged, hits]) expect(found.map(({ file }) => file.key).sort()).toEqual(keys);
    expect(await engine.keys(path)).toEqual([...keys].sort());
  }
});

test('a search with a path gives the results of one without it, minus files that do not match', async () => {
  const words = ['apple', 'plum', 'pear', 'quince'];
  const texts = Array.from({ length: 60 }, (_, i) => [
    `${i % 3}/${i}.md`,
    words.map((word, j) => `${word} `.repeat((i * (j + 3)) % 7)).join('and other words ') || 'nothing',
  ]);
  const engine = await indexed(Object.fromEntries(texts));
  for (const mode of ['hybrid', 'dense', 'lexical'] as const) {
    const all = await engine.search('apple plum', { mode, limit: 1000 });
    const expected = all.filter(({ file }) => file.key.startsWith('1/'));
    expect(expected.length).toBeGreaterThan(5);
    for (const path of ['1', '1/*', '**/1/**']) {
      expect(await engine.search('apple plum', { mode, limit: 1000, path })).toEqual(expected);
      expect(await engine.search('apple plum', { mode, limit: 3, path })).toEqual(expected.slice(0, 3));
    }
  }
});

test('a path is applied before the best are chosen', async () => {
  const engine = await indexed({ 'many.md': '# apple\n\napple\n\n'.repeat(600) });
  expect((await engine.status()).passages).toBe(600);
  await engine.indexFile('few/a.md', `apple ${'and other words '.repeat(10)}`);
  for (const mode of ['hybrid', 'dense', 'lexical'] as const) {
    const hits = await engine.search('apple', { mode, limit: 1, path: 'few' });
    expect(hits.map(({ file }) => file.key)).toEqual(['few/a.md']);
  }
});

test('tags and a path must both hold', async () => {
  const engine = await indexed(FILES);
  await engine.indexFile('guides/go/c.md', 'counter', { tags: { kind: 'note' } });
  await engine.indexFile('d.md', 'counter', { tags: { kind: 'note' } });
  const hits = await engine.search('counter', { tags: { kind: 'note' }, path: 'guides' });
  expect(hits.map(({ file }) => file.key)).toEqual(['guides/go/c.md']);
});

test('a path with a wrong type is refused by searchFiles and keys as by search', async () => {
  const engine = await indexed({});
  const wrong = 7 as unknown as string;
  const message = 'path must be a non-empty string that is a file, a folder or a glob, or a list of them; it is 7.';
  const refusal = { code: 'INVALID_ARGUMENT', message };
  await expect(engine.searchFiles({ query: 'a', path: wrong })).rejects.toMatchObject(refusal);
  await expect(engine.keys(wrong)).rejects.toMatchObject(refusal);
});
