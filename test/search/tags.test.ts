import { expect, test } from 'vitest';
import type { SearchEngine, TagFilter } from 'waymark';
import { fillers, indexed } from './indexed.js';

async function shop(): Promise<SearchEngine> {
  const engine = await indexed({ 'none.md': 'word without tags' });
  await engine.indexFile('a.md', 'word one', { tags: { kind: 'fruit', colour: 'red' } });
  await engine.indexFile('b.md', 'word two', { tags: { kind: 'fruit', colour: 'green' } });
  await engine.indexFile('c.md', 'word three', { tags: { kind: 'nut', colour: 'brown' } });
  return engine;
}

const CASES: readonly (readonly [TagFilter, readonly string[]])[] = [
  [{}, ['a.md', 'b.md', 'c.md', 'none.md']],
  [{ kind: 'fruit' }, ['a.md', 'b.md']],
  [{ kind: 'fruit', colour: 'green' }, ['b.md']],
  [{ kind: 'nut', colour: 'green' }, []],
  [{ colour: ['red', 'brown'] }, ['a.md', 'c.md']],
  [{ kind: 'fruit', colour: ['red', 'brown'] }, ['a.md']],
  [{ kind: { not: 'fruit' } }, ['c.md', 'none.md']],
  [{ colour: { not: ['red', 'brown'] } }, ['b.md', 'none.md']],
  [{ kind: 'fruit', colour: { not: 'red' } }, ['b.md']],
  [{ kind: 'FRUIT' }, []],
  [{ unknown: 'x' }, []],
  [{ unknown: { not: 'x' } }, ['a.md', 'b.md', 'c.md', 'none.md']],
  [{ kind: { in: 'fruit' } }, ['a.md', 'b.md']],
  [{ colour: { in: ['red', 'brown'] } }, ['a.md', 'c.md']],
  [{ colour: { in: ['red', 'brown'], not: 'red' } }, ['c.md']],
  [{ colour: { not: { in: ['red', 'brown'] } } }, ['b.md', 'none.md']],
  [{ kind: { exists: true } }, ['a.md', 'b.md', 'c.md']],
  [{ kind: { exists: false } }, ['none.md']],
  [{ kind: { not: { exists: true } } }, ['none.md']],
  [{ kind: { not: { exists: false } } }, ['a.md', 'b.md', 'c.md']],
  [{ kind: { exists: true, not: 'fruit' } }, ['c.md']],
  [{ kind: { exists: true, not: { exists: true } } }, []],
  [{ kind: { exists: false }, colour: 'red' }, []],
  [{ kind: { in: [] } }, ['a.md', 'b.md', 'c.md', 'none.md']],
  [{ kind: [] }, ['a.md', 'b.md', 'c.md', 'none.md']],
  [{ kind: { not: [] } }, ['a.md', 'b.md', 'c.md', 'none.md']],
  [{ "k'; DROP TABLE files; --": '' }, []],
];

test('all names must match, a list matches any value, not excludes, an empty list is no condition', async () => {
  const engine = await shop();
  for (const [tags, keys] of CASES) {
    const { passages } = await engine.searchFiles({ query: 'word', tags });
    const hits = await engine.search('word', { tags });
    const { passages: merged } = await engine.searchFiles({ query: 'word', tags, consolidate: true });
    for (const found of [passages, hits, merged]) expect(found.map(({ file }) => file.key).sort()).toEqual(keys);
  }
});

test('tags are applied before the best are chosen', async () => {
  const engine = await indexed(Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.md`, 'apple'])));
  for (let i = 0; i < 10; i++) {
    const others = 'and other words '.repeat(10 - i);
    await engine.indexFile(`few/${i}.md`, `apple ${others}`, { tags: { few: 'yes' } });
  }
  const mode = 'lexical';
  const { passages } = await engine.searchFiles({ query: 'apple', tags: { few: 'yes' }, mode });
  expect(passages.map(({ file }) => file.key)).toEqual(Array.from({ length: 10 }, (_, i) => `few/${9 - i}.md`));
  const { passages: best } = await engine.searchFiles({ query: 'apple', tags: { few: 'yes' }, limit: 3, mode });
  expect(best).toEqual(passages.slice(0, 3));
});

test('a filter with the most conditions and the most values finds what passes it', async () => {
  const engine = await shop();
  const others = Array.from({ length: 99 }, (_, i) => [`no ${i}`, { not: Array(10).fill('red') }]);
  const tags = { ...Object.fromEntries(others), colour: [...Array(9).fill('none'), 'red'] };
  const { passages } = await engine.searchFiles({ query: 'word', tags });
  expect(passages.map(({ file }) => file.key)).toEqual(['a.md']);
});

test('a filter that leaves ten passages still returns the best of those ten, in every mode', async () => {
  const engine = await indexed(fillers('apple'));
  for (let i = 0; i < 10; i++) await engine.indexFile(`few-${i}.md`, `plum ${i}`, { tags: { kind: 'few' } });
  for (const mode of ['hybrid', 'dense'] as const) {
    const hits = await engine.search('apple', { mode, tags: { kind: 'few' } });
    expect(hits.map(({ file }) => file.key)).toHaveLength(10);
  }
  const [best] = await engine.search('apple plum 7', { mode: 'lexical', limit: 1, tags: { kind: 'few' } });
  expect(best?.file.key).toBe('few-7.md');
});
