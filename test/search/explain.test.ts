import { expect, test } from 'vitest';
import type { Mode } from 'waymark';
import { indexed } from './indexed.js';

const FILES = {
  'pool.md': '# Pool\n\nThe `max_connections` option limits the connections of a pool.',
  'retry.md': '# Retry\n\nFailed calls are repeated three times.',
};

async function explanations(mode: Mode, query = 'max_connections of a pool') {
  const engine = await indexed(FILES);
  const hits = await engine.search(query, { mode, explain: true });
  return hits.map(({ score, explanation }) => ({ score, ...explanation }));
}

test('explain gives rank and scores of each side, the terms that matched, and the addends of the sum', async () => {
  const [first, second] = await explanations('hybrid');
  expect(first).toStrictEqual({
    score: expect.any(Number),
    dense: { cosine: expect.closeTo(0.76, 2), rank: 1 },
    lexical: {
      bm25: expect.any(Number),
      share: expect.any(Number),
      // Of the two passages, one has these terms.
      rarity: 1,
      rank: 1,
      terms: ['max_connections', 'max', 'connections', 'pool'],
    },
    parts: {
      dense: first?.dense?.cosine,
      lexical: 3 * ((first?.lexical?.share ?? 0) - 0.1),
      length: 0.13 * Math.log('The max_connections option limits the connections of a pool.'.length + 20),
      prose: 0,
    },
    sum: expect.any(Number),
    lead: (first?.sum ?? 0) - (second?.sum ?? 0),
    // The usual contrast: fewer than fifty passages are embedded.
    contrast: 0.35,
  });
  // Not among those that match in words: no rank, but the score that it has there.
  expect(second?.lexical).toStrictEqual({ bm25: 0, share: 0, rarity: 0, terms: [] });
  expect(second?.dense).toStrictEqual({ cosine: 0, rank: 2 });
});

test('the sum of a list, a table or code is lower than that of prose', async () => {
  const engine = await indexed({
    'prose.md': 'A pool has ten connections.',
    'list.md': '- A pool has ten connections.',
    'code.md': '    a pool has ten connections',
    'table.md': '| pool | connections |\n| - | - |\n| a pool | ten |',
  });
  const hits = await engine.search('connections of a pool', { explain: true });
  const prose = hits.map(({ passage, explanation }) => [passage.subtype, explanation?.parts.prose]);
  expect(Object.fromEntries(prose)).toEqual({ paragraph: 0, list: -0.13, code: -0.13, table: -0.13 });
  for (const { explanation } of hits) {
    const { parts = {}, sum } = explanation ?? {};
    expect(Object.values(parts).reduce((a, b) => a + b, 0)).toBeCloseTo(sum ?? Number.NaN, 12);
  }
});

test('the parts add up to the sum, in every mode, and a higher sum is a higher score', async () => {
  for (const mode of ['hybrid', 'dense', 'lexical'] as const) {
    const explained = await explanations(mode, 'calls of a pool');
    for (const { parts = {}, sum } of explained) {
      expect(Object.values(parts).reduce((a, b) => a + b, 0)).toBeCloseTo(sum ?? Number.NaN, 12);
    }
    const sums = explained.map(({ sum }) => sum ?? 0);
    expect(sums).toEqual([...sums].sort((a, b) => b - a));
    const scores = explained.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  }
});

test('a mode explains only the side that ranks', async () => {
  const [dense] = await explanations('dense');
  expect(Object.keys(dense ?? {})).toEqual(['score', 'dense', 'parts', 'sum', 'lead', 'contrast']);
  const [lexical] = await explanations('lexical');
  expect(Object.keys(lexical ?? {})).toEqual(['score', 'lexical', 'parts', 'sum', 'lead']);
});

test('nothing is explained unless asked, and asking changes neither order nor scores', async () => {
  const engine = await indexed(FILES);
  const plain = await engine.search('pool calls');
  expect(plain.map((hit) => 'explanation' in hit)).toEqual([false, false]);
  const explained = await engine.search('pool calls', { explain: true });
  expect(explained.map(({ explanation: _, ...hit }) => hit)).toEqual(plain);
});

test('searchFiles puts the explanation into meta; of a consolidated passage, its best match’s', async () => {
  const engine = await indexed({ 'a.md': '# A\n\napples\n\n# B\n\napples and pears' });
  const [hit] = await engine.search('pears', { limit: 1, explain: true });
  for (const consolidate of [false, true]) {
    const { passages } = await engine.searchFiles({ query: 'pears', consolidate, explain: true });
    expect(passages[0]?.meta.explanation).toEqual(hit?.explanation);
  }
  const { passages } = await engine.searchFiles({ query: 'pears' });
  expect(passages[0]?.meta).not.toHaveProperty('explanation');
});

test('copies of a text share their ranks', async () => {
  const files = {
    'a.md': 'red pump',
    'b.md': 'red pump',
    'c.md': 'red lamp',
    'd.md': 'door',
    'e.md': 'roof',
    'f.md': 'wall',
  };
  const hits = await (await indexed(files)).search('red pump', { limit: 3, explain: true });
  const ranks = hits.map(({ file, explanation }) => [file.key, explanation?.dense?.rank, explanation?.lexical?.rank]);
  expect(ranks).toEqual([
    ['a.md', 1, 1],
    ['b.md', 1, 1],
    ['c.md', 3, 3],
  ]);
});

test('an explanation lists no words that are in most passages', async () => {
  const engine = await indexed({ 'a.md': 'red pump', 'b.md': 'red valve', 'c.md': 'red lamp', 'd.md': 'door' });
  const [hit] = await engine.search('red pump', { explain: true });
  expect(hit?.explanation?.lexical?.terms).toEqual(['pump']);
});
