import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIncomingEvent, type SearchEngine, withKnowledge } from 'waymark';
import { indexed } from '../search/indexed.js';
import { message, REQUIRED } from './events.js';

function onError(error: unknown): never {
  throw error;
}

/** Texts about trees tagged by kind and colour, and one without tags. */
async function shop(): Promise<SearchEngine> {
  const engine = await indexed({ 'note.md': 'tree and ladder' });
  await engine.indexFile('apple.md', '# Apples\n\nAn apple tree.', { tags: { kind: 'fruit', colour: 'red' } });
  await engine.indexFile('pear.md', '# Pears\n\nA pear tree.', { tags: { kind: 'fruit', colour: 'green' } });
  await engine.indexFile('nut.md', '# Nuts\n\nA nut tree of some age.', { tags: { kind: 'nut', colour: 'brown' } });
  return engine;
}

test('kb holds the knowledge bases as given, and their results, best first', async () => {
  const search = await shop();
  const knowledgeBases = [
    { name: 'nuts', tags: { kind: ['nut', 'bean'] } },
    { name: 'green', tags: { colour: 'green' }, id: 7 },
  ];
  const event = await withKnowledge(message('a pear tree'), { search, knowledgeBases, onError });
  expect(event.kb).toStrictEqual({
    included: knowledgeBases,
    results: [
      { dsFriendlyName: 'Pears', content: 'A pear tree.', score: expect.any(Number), key: 'pear.md' },
      { dsFriendlyName: 'Nuts', content: 'A nut tree of some age.', score: expect.any(Number), key: 'nut.md' },
    ],
  });
});

test('the event is copied and frozen, and otherwise unchanged', async () => {
  const event = createIncomingEvent({ ...REQUIRED, kb: { included: [{ name: 'before' }] }, userId: 'user-1' });
  const before = structuredClone(event);
  const filled = await withKnowledge(event, { search: await shop(), knowledgeBases: [{ name: 'all' }], onError });
  expect(event).toEqual(before);
  expect({ ...filled, kb: undefined }).toEqual({ ...before, kb: undefined });
  expect(filled.kb?.included).toEqual([{ name: 'all' }]);
  const { kb } = filled;
  for (const object of [filled, kb, kb?.included, kb?.included[0], kb?.results, kb?.results?.[0]]) {
    expect(Object.isFrozen(object)).toBe(true);
  }
});

test('several, even overlapping knowledge bases give the results of one search over all their files', async () => {
  const engine = await indexed({});
  const words = ['red', 'green', 'apples', 'pears', 'plums'];
  for (let i = 0; i < 40; i++) {
    const text = [i, i >> 1, i >> 3, i >> 4].map((n) => words[n % 5]).join(' ');
    await engine.indexFile(`${i}.md`, `${text}\n\n## ${words[i % 3]}\n\n${text} ${text}`, {
      tags: { part: `${i % 4}` },
    });
  }
  const knowledgeBase = fc
    .uniqueArray(fc.constantFrom('0', '1', '2', '3'), { minLength: 1 })
    .map((part) => ({ name: part.join(), tags: { part } }));
  const asked = fc.record({
    query: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(' ')),
    knowledgeBases: fc.array(knowledgeBase, { minLength: 1, maxLength: 4 }),
    limit: fc.integer({ min: 1, max: 50 }),
    minScore: fc.constantFrom(0, 0.3, 0.6),
    contextDepth: fc.constantFrom(0, 1),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ query, knowledgeBases, limit, minScore, contextDepth }) => {
      const options = { search: engine, knowledgeBases, limit, minScore, contextDepth, onError };
      const { kb } = await withKnowledge(message(query), options);
      const tags = { part: knowledgeBases.flatMap((one) => one.tags.part) };
      const { passages } = await engine.searchFiles({ query, tags, limit, contextDepth, minScore });
      expect(kb?.results?.map(({ content, score, key }) => [content, score, key])).toEqual(
        passages.map(({ content, score, file }) => [content, score, file.key]),
      );
    }),
    { numRuns: 60 },
  );
});

test('limit is the total number of results and defaults to 20', async () => {
  const engine = await indexed(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.md`, `word ${i}`])));
  const knowledgeBases = [{ name: 'a' }, { name: 'b' }];
  for (const [limit, length] of [[undefined, 20] as const, [1, 1] as const, [50, 50] as const]) {
    const { kb } = await withKnowledge(message('word'), { search: engine, knowledgeBases, limit, onError });
    expect(kb?.results).toHaveLength(length);
  }
});

test('results are named by the title in the metadata, else by the breadcrumb, else by the key', async () => {
  const engine = await indexed({
    'titled.md': '---\ntitle: "The  title"\n---\n\n# Heading\n\n## Part\n\none',
    'number.md': '---\ntitle: 2026\n---\n\ntwo',
    'headed.md': '# Heading\n\n## Part\n\nthree',
    'folder/plain.md': 'four',
    'folder/6.md': 'six',
  });
  await engine.indexFile('given.md', '# Heading\n\nfive', { metadata: { title: 'Given' } });
  const options = { search: engine, knowledgeBases: [{ name: 'all' }], limit: 1, onError };
  const named = async (query: string) => (await withKnowledge(message(query), options)).kb?.results?.[0];
  const score = expect.any(Number);
  expect([
    await named('one'),
    await named('two'),
    await named('three'),
    await named('four'),
    await named('five'),
    await named('six'),
  ]).toEqual([
    { dsFriendlyName: 'The title', content: 'one', key: 'titled.md', score },
    { dsFriendlyName: '2026', content: 'two', key: 'number.md', score },
    { dsFriendlyName: 'Heading', content: 'three', key: 'headed.md', score },
    { dsFriendlyName: 'plain', content: 'four', key: 'folder/plain.md', score },
    { dsFriendlyName: 'Given', content: 'five', key: 'given.md', score },
    { dsFriendlyName: 'folder/6.md', content: 'six', key: 'folder/6.md', score },
  ]);
});

test('content includes contextDepth neighbours, by default one, without the breadcrumb', async () => {
  const engine = await indexed({ 'a.md': '# T\n\n## A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree' });
  const options = { search: engine, knowledgeBases: [{ name: 'all' }], limit: 1, onError };
  const content = async (contextDepth?: number) =>
    (await withKnowledge(message('two'), { ...options, contextDepth })).kb?.results?.[0]?.content;
  expect(await content()).toBe('one\n\n## B\n\ntwo\n\n## C\n\nthree');
  expect(await content(0)).toBe('two');
});

test('without a match, results is empty', async () => {
  const knowledgeBases = [{ name: 'beans', tags: { kind: 'bean' } }];
  const event = await withKnowledge(message('tree'), { search: await shop(), knowledgeBases, onError });
  expect(event.kb).toEqual({ included: knowledgeBases, results: [] });
});

test('tags filter every knowledge base in addition to its own, even for the same tag', async () => {
  const search = await shop();
  const values = fc.constantFrom('red', 'green', 'brown', 'fruit', 'nut');
  const some = fc.oneof(values, fc.uniqueArray(values, { maxLength: 3 }));
  const condition = fc.oneof(some, fc.record({ not: some }));
  const filter = fc.dictionary(fc.constantFrom('kind', 'colour'), condition);
  await fc.assert(
    fc.asyncProperty(filter, filter, async (own, tags) => {
      const options = { search, knowledgeBases: [{ name: 'own', tags: own }], tags, onError };
      const { kb } = await withKnowledge(message('tree'), options);
      const keysFor = async (one: typeof own) =>
        (await search.searchFiles({ query: 'tree', tags: one })).passages.map(({ file }) => file.key);
      const others = new Set(await keysFor(tags));
      expect(kb?.results?.map(({ key }) => key)).toEqual((await keysFor(own)).filter((key) => others.has(key)));
      expect(kb?.included).toEqual([{ name: 'own', tags: own }]);
    }),
  );
});

test('an outgoing event, a blank preview or no knowledge bases leave the event as it is', async () => {
  const options = { search: await shop(), knowledgeBases: [{ name: 'all' }], onError };
  const outgoing = createIncomingEvent({ ...REQUIRED, direction: 'outgoing' });
  expect(await withKnowledge(outgoing, options)).toBe(outgoing);
  for (const blank of [message(''), message(' \t\n\u3000')]) expect(await withKnowledge(blank, options)).toBe(blank);
  const event = message('tree');
  expect(await withKnowledge(event, { ...options, knowledgeBases: [] })).toBe(event);
});
