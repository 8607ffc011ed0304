import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createHashEmbedder, type Mode, openEngine, type SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { heldEmbedder } from '../support/held-embedder.js';
import { fillers, indexed } from './indexed.js';

/** Holds corpus/, embedded by the bundled model. Read only. */
let engine: SearchEngine;

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  engine = await openEngine({ database: path.join(folder, 'waymark.db') });
  await engine.indexFolder('corpus/guides');
  return async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  };
});

test.each(['hybrid', 'dense', 'lexical'] as const)(
  '%s: a passage that answers the question scores high, an unrelated one low',
  async (mode) => {
    const scores = async (query: string) =>
      (await engine.search(query, { mode, limit: 1000 })).map(({ score }) => score);
    const answered = await scores('run the receiver locally and let fern listen answer with errors on purpose');
    const foreign = await scores('how long does bread dough have to rise before baking');
    expect(answered[0]).toBeGreaterThan(0.4);
    expect(foreign[0] ?? 0).toBeLessThan(0.3);
    expect(answered.at(-1)).toBeLessThan(0.15);
  },
);

test('minScore leaves no results for a question that the files do not answer', async () => {
  const query = 'how long does bread dough have to rise before baking';
  expect(await engine.search(query, { minScore: 0.3 })).toEqual([]);
  expect((await engine.searchFiles({ query, minScore: 0.3 })).passages).toEqual([]);
});

test("copies do not reduce each other's lead over the next text", async () => {
  const texts = { ...fillers('apple'), 'a.md': '# Pears\n\nripe pears in autumn', 'b.md': '# Figs\n\nripe figs' };
  const leadsOf = async (files: Readonly<Record<string, string>>) => {
    const hits = await (await indexed(files)).search('ripe pears', { explain: true });
    const pears = hits.filter(({ passage }) => passage.content === 'ripe pears in autumn');
    return pears.map(({ explanation }) => explanation?.lead ?? 0);
  };
  const [alone] = await leadsOf(texts);
  expect(alone).toBeGreaterThan(1);
  for (const lead of await leadsOf({ ...texts, 'c.md': texts['a.md'] })) expect(lead).toBeGreaterThan(1);
});

/** The explanations of all passages that a search finds in these texts, by a model with a scale of its own. */
async function explained(files: Readonly<Record<string, string>>, { query, mode }: { query: string; mode?: Mode }) {
  const hash = createHashEmbedder({ dimensions: 4096 });
  const card = { ...hash.card, fingerprint: 'scaled', similarity: { unrelated: -0.2, related: 0.6 } };
  const own = await engineOf({ model: { ...hash, card }, passageTokens: 60 });
  for (const [key, text] of Object.entries(files)) await own.indexFile(key, text);
  const hits = await own.search(query, { mode, explain: true, limit: 1000 });
  return hits.map(({ score, passage, explanation }) => ({ score, passage, ...explanation }));
}

/** A passage per number, each of one word; the first ones have a word more. */
const words = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.md`, i < 9 ? `red w${i}` : `w${i}`]));

test.each([
  ['hybrid', { middle: 3.4, slope: 1.5, a: 3.4, b: 2.3 }],
  ['dense', { middle: 3, slope: 1.5, a: 9.3, b: 4.7 }],
  ['lexical', { middle: 0.52, slope: 6.6, a: 9.5, b: 0 }],
] as const)('%s: the score is a logistic function of sum, lead and contrast', async (mode, { middle, slope, a, b }) => {
  const hits = await explained({ ...words(60), 'list.md': '- red roof' }, { query: 'red w3', mode });
  expect(hits.length).toBeGreaterThan(9);
  for (const { score, sum = Number.NaN, lead = Number.NaN, contrast = 1 } of hits) {
    const x = slope * (sum - middle) + a * lead + b * contrast;
    expect(score).toBeCloseTo(1 / (1 + Math.exp(-x)), 12);
  }
});

test('the lead is the distance from the best other sum, and 0.3 if there is no other passage', async () => {
  const [first, second, third] = await explained(
    { 'a.md': 'roof', 'b.md': 'red', 'c.md': 'red pump' },
    { query: 'red pump' },
  );
  const [best = 0, next = 0, last = 0] = [first?.sum, second?.sum, third?.sum];
  expect(best).toBeGreaterThan(next);
  expect([first?.lead, second?.lead, third?.lead]).toEqual([best - next, next - best, last - best]);
  const [only] = await explained({ 'a.md': 'red pump' }, { query: 'red' });
  expect(only?.lead).toBe(0.3);
});

test('the contrast is the distance of the nearest passage from the 50th, and 0.35 if there are fewer', async () => {
  const texts = { ...words(48), 'a.md': 'red', 'b.md': 'w3' };
  const hits = await explained(texts, { query: 'red w3', mode: 'dense' });
  expect(hits).toHaveLength(50);
  const cosines = hits.map(({ dense }) => dense?.cosine ?? Number.NaN).sort((x, y) => y - x);
  expect(cosines[0]).toBeCloseTo(1, 6);
  expect(cosines[49]).toBe(0);
  for (const { contrast } of hits) expect(contrast).toBeCloseTo(1 / 0.8, 6);
  const [fewer] = await explained(words(49), { query: 'red w3', mode: 'dense' });
  expect(fewer?.contrast).toBe(0.35);
});

test.each([
  ['red w3', [11, 1]],
  ['red w3 nowhere', [11, 1, 0]],
])('%s: the sum is made up of the words in common, the length and the kind', async (query, frequencies) => {
  const texts = { ...words(60), 'list.md': '- red roof', 'long.md': `red ${'and green '.repeat(20)}` };
  const hits = await explained(texts, { query });
  const idf = (passages: number) => Math.log((62 - passages + 0.5) / (passages + 0.5));
  for (const { passage, dense, lexical, parts } of hits) {
    const { bm25 = Number.NaN, share = Number.NaN, rarity = Number.NaN } = lexical ?? {};
    const own = passage.content.split(' ');
    const rarest = own.includes('w3') ? idf(1) : own.includes('red') ? idf(11) : 0;
    expect(share).toBeCloseTo(bm25 / frequencies.reduce((sum, passages) => sum + 2.2 * idf(passages), 0), 12);
    expect(rarity).toBeCloseTo(rarest / idf(1), 12);
    expect(parts).toEqual({
      dense: expect.closeTo(((dense?.cosine ?? Number.NaN) + 0.2) / 0.8, 12),
      lexical: expect.closeTo(3 * (0.2 + 0.8 * rarity) * Math.max(0, share - 0.1), 12),
      length: expect.closeTo(0.13 * Math.log(passage.content.replace('- ', '').trim().length + 20), 12),
      prose: passage.subtype === 'list' ? -0.13 : 0,
    });
  }
  const shares = hits.map(({ lexical }) => lexical?.share ?? 0);
  expect(shares.some((share) => share > 0.1) && shares.some((share) => share > 0 && share < 0.1)).toBe(true);
});

test('a query without words has a share of 0', async () => {
  const [hit] = await explained(words(3), { query: '???' });
  expect(hit?.lexical).toMatchObject({ bm25: 0, share: 0, rarity: 0 });
  expect(hit?.parts?.lexical).toBe(0);
});

test('a passage that is not embedded yet has a dense part of 0, and does not count for the contrast', async () => {
  const { embedder, asked, letGo } = heldEmbedder();
  const own = await engineOf({ model: embedder, passageTokens: 60 });
  const indexed = own.indexFolder(folderOf(fillers('pump')));
  await asked;
  const hits = await own.search('pump', { explain: true, limit: 1000 });
  expect(hits).toHaveLength(50);
  for (const { explanation } of hits) {
    expect(explanation).toMatchObject({ parts: { dense: 0 }, contrast: 0.35 });
    expect(explanation?.dense).toStrictEqual({});
  }
  letGo();
  await indexed;
});
