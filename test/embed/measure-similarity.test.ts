import { expect, test } from 'vitest';
import { createHashEmbedder, openEmbedder } from 'waymark';
import { measureSimilarity } from '#src/embed/measure-similarity.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

test('the card of the bundled model states its measured similarity', async () => {
  const { embedder } = await openEmbedder();
  const measured = await measureSimilarity(embedder);
  const { similarity } = embedder.card;
  await embedder.close();
  expect(similarity?.unrelated).toBeCloseTo(measured.unrelated, 2);
  expect(similarity?.related).toBeCloseTo(measured.related, 2);
});

test('a model that separates nothing has a minimum span between unrelated and related', async () => {
  const embedder = {
    ...createHashEmbedder({ dimensions: 2 }),
    embedPassages: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0)),
    embedQuery: async () => Float32Array.of(1, 0),
  };
  expect(await measureSimilarity(embedder)).toEqual({ unrelated: 1, related: 1.05 });
});

test('a model is measured once, with the first question, and the result is stored in the database', async () => {
  const hash = createHashEmbedder();
  const { similarity: _, ...card } = hash.card;
  let texts = 0;
  const model = {
    ...hash,
    card,
    embedPassages: (given: readonly string[]) => {
      texts += given.length;
      return hash.embedPassages(given);
    },
  };
  const database = `${folderOf()}/waymark.db`;
  const counts: number[] = [];
  const engine = await engineOf({ database, model });
  await engine.indexFile('a.md', 'apples');
  counts.push(texts);
  const [hit] = await engine.search('apples');
  await engine.search('pears');
  counts.push(texts);
  await engine.close();
  const again = await engineOf({ database, model });
  expect(await again.search('apples')).toEqual([hit]);
  counts.push(texts);
  expect(counts).toEqual([1, 33, 33]);
});

test('a model whose card states its similarity is not measured', async () => {
  const engine = await engineOf({ model: createHashEmbedder() });
  await engine.indexFile('a.md', 'apples');
  const [hit] = await engine.search('apples', { mode: 'dense', explain: true });
  expect(hit?.explanation?.parts.dense).toBeCloseTo(1, 5);
});
