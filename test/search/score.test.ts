import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openEngine, type SearchEngine } from 'waymark';
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
