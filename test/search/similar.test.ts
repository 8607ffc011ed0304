import { expect, it, test } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { engineOf } from '../support/engine.js';

/** The key and rounded score of each passage that is similar to the one of a key. */
async function similarTo(key: string, options: object = {}, files: Readonly<Record<string, string>> = FILES) {
  const engine = await engineOf();
  for (const [name, text] of Object.entries(files))
    await engine.indexFile(name, text, { tags: { folder: name[0] ?? '' } });
  const [hit] = await engine.search('kettle', { path: key });
  const found = await engine.similar(hit?.passage.id ?? '', options);
  return found?.map(({ score, file }) => `${file.key} ${score.toFixed(2)}`);
}

const FILES = {
  'a/one.md': '# Care\n\nThe kettle was descaled with vinegar.',
  'a/two.md': '# Care\n\nThe kettle was descaled with lemon.',
  'b/copy.md': '# Care\n\nThe kettle was descaled with vinegar.',
  'b/far.md': '# Care\n\nThe yak grazed uphill.',
};

test('the passages nearest to one are found, copies first, without itself', async () => {
  expect(await similarTo('a/one.md')).toEqual(['b/copy.md 1.00', 'a/two.md 0.88', 'b/far.md 0.57']);
});

it.each<[string, object, string[]]>([
  ['limit', { limit: 1 }, ['b/copy.md 1.00']],
  ['path', { path: 'a' }, ['a/two.md 0.88']],
  ['tags', { tags: { folder: 'b' } }, ['b/copy.md 1.00', 'b/far.md 0.57']],
  ['minScore', { minScore: 0.6 }, ['b/copy.md 1.00', 'a/two.md 0.88']],
])('%s restricts the similar passages', async (_name, options, found) => {
  expect(await similarTo('a/one.md', options)).toEqual(found);
});

test('of passages that are equally near, those whose keys come first are found', async () => {
  const text = 'The kettle was descaled with lemon.';
  const files = { 'a.md': 'The kettle was descaled.', 'd.md': text, 'c.md': text, 'b.md': text };
  expect(await similarTo('a.md', { limit: 2 }, files)).toEqual(
    ['b.md', 'c.md'].map((key) => expect.stringMatching(key)),
  );
});

test('a copy has the score 1, not more, however an embedding is rounded', async () => {
  const hash = createHashEmbedder({ dimensions: 2 });
  const embedding = () => Float32Array.of(0.6, 0.8);
  const model = {
    ...hash,
    embedPassages: async (texts: readonly string[]) => texts.map(embedding),
    embedQuery: async () => embedding(),
  };
  const engine = await engineOf({ model });
  await engine.indexFile('a.md', 'The kettle.');
  await engine.indexFile('b.md', 'The kettle.');
  const [hit] = await engine.search('kettle');
  const found = await engine.similar(hit?.passage.id ?? '');
  expect(found?.map(({ score }) => score)).toEqual([1]);
});

test('as many similar passages as wanted are found, not counting the passage itself', async () => {
  const engine = await engineOf();
  const passages = Array.from({ length: 601 }, (_, i) => ({ content: `Kettle ${i}.`, subtype: 'paragraph' as const }));
  await engine.setPassages({ key: 'a.txt', contentType: 'text/plain', passages, tags: {}, metadata: {} });
  const [hit] = await engine.search('kettle');
  const found = await engine.similar(hit?.passage.id ?? '', { limit: 600 });
  expect(new Set(found?.map(({ passage }) => passage.id)).size).toBe(600);
  expect(found?.map(({ passage }) => passage.id)).not.toContain(hit?.passage.id);
});

test('the only passage of an index has no similar passages', async () => {
  expect(await similarTo('a.md', {}, { 'a.md': 'The kettle.' })).toEqual([]);
});

test('the result for a passage that never existed, or no longer exists, is undefined', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'The kettle.');
  const [hit] = await engine.search('kettle');
  await engine.indexFile('a.md', 'The yak.');
  expect(await engine.similar(hit?.passage.id ?? '')).toBeUndefined();
  expect(await engine.similar('unknown')).toBeUndefined();
});

it.each<[string, unknown, object, string]>([
  ['id', '', {}, 'passageId must be the id of a passage; it is "".'],
  ['limit', 'a', { limit: 0 }, 'limit must be an integer from 1 to 1000; it is 0.'],
  ['minScore', 'a', { minScore: 2 }, 'minScore must be a number from 0 to 1; it is 2.'],
])('a wrong %s is refused', async (_name, id, options, message) => {
  const engine = await engineOf();
  await expect(engine.similar(id as string, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});
