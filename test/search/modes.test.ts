import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mode, SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { ownPlace } from '../support/place.js';

const FILES = {
  'pool.md':
    '# Pool\n\n## Limits\n\nThe `max_connections` option limits clients to 100.\n\n## Names\n\nA pool has a name.',
  'retry.md': '# Retry\n\nFailed calls are repeated three times.\n\n```sh\ntool --dry-run --retries 3\n```',
  'glossary.md': '# Glossary\n\nA client opens connections. A pool keeps connections.',
};

async function indexed(files: Record<string, string> = FILES): Promise<SearchEngine> {
  const engine = await engineOf({ passageTokens: 60 });
  for (const [key, text] of Object.entries(files)) await engine.indexFile(key, text);
  return engine;
}

/** Where the hits are: key and position. */
async function places(engine: SearchEngine, query: string, options: { mode: Mode; limit?: number }): Promise<string[]> {
  const hits = await engine.search(query, options);
  return hits.map(({ file, passage }) => `${file.key} ${passage.position}`);
}

test('lexical finds a name as typed, and only passages that have a term of the query', async () => {
  const engine = await indexed();
  expect(await places(engine, 'max_connections', { mode: 'lexical' })).toEqual(['pool.md 0', 'glossary.md 0']);
  expect(await places(engine, '--dry-run', { mode: 'lexical' })).toEqual(['retry.md 0']);
  expect(await places(engine, 'zebra', { mode: 'lexical' })).toEqual([]);
  expect(await places(engine, '???', { mode: 'lexical' })).toEqual([]);
});

test.each([
  ['Arabic without the vowel points of the text', 'محمد', 'قال مُحَمَّد هنا'],
  ['Arabic with vowel points that the text lacks', 'مُحَمَّد', 'قال محمد هنا'],
  ['Hebrew without the vowel points of the text', 'שלום', 'אמר שָׁלוֹם לך'],
  ['a word that soft hyphens divide', 'cooperation', 'A co&shy;oper&shy;ation.'],
  ['a word with a zero-width space that the query lacks', 'underwriter', 'An under&#8203;writer.'],
  ['a word without the zero-width space of the query', 'under\u200bwriter', 'An under<wbr>writer.'],
  ['a word whose ligature a joiner prevents', 'Auflage', 'Die zweite Auf&zwnj;lage.'],
  ['a name next to Japanese', 'github', 'GitHubの設定'],
])('lexical finds %s', async (_, query, text) => {
  const engine = await indexed({ 'a.md': text });
  expect(await places(engine, query, { mode: 'lexical' })).toEqual(['a.md 0']);
});

test.each([
  ['a letter inside a Hindi word', 'ह', 'हिन्दी'],
  ['a Hindi word with other vowel signs', 'हान्दा', 'हिन्दी'],
  ['a Thai word with the same vowel sign', 'ที่', 'นี่'],
  ['two letters of a name next to Chinese', 'do', '使用Docker部署'],
])('lexical does not find %s', async (_, query, text) => {
  const engine = await indexed({ 'a.md': text });
  expect(await places(engine, query, { mode: 'lexical' })).toEqual([]);
});

test('lexical finds a word even if most passages have it', async () => {
  const engine = await indexed({ 'a.md': 'apples', 'b.md': 'red apples', 'c.md': 'pears' });
  expect(await places(engine, 'apples', { mode: 'lexical' })).toEqual(['a.md 0', 'b.md 0']);
});

test.each<Mode>(['hybrid', 'lexical'])('%s finds a file by its name where no passage has any word', async (mode) => {
  const engine = await engineOf();
  await engine.indexFile('rotate.md', '---\ntitle: 👍\n---\n\n👍 👍 👍\n');
  const hits = await engine.search('rotate', { mode, explain: true });
  expect(hits).toMatchObject([{ file: { key: 'rotate.md' }, explanation: { lexical: { terms: ['rotate'] } } }]);
  expect(hits[0]?.score).toBeGreaterThan(0);
});

test('hybrid finds what either side finds', async () => {
  const engine = await indexed();
  const found = await places(engine, 'max_connections limits', { mode: 'hybrid' });
  expect(found[0]).toBe('pool.md 0');
  expect(found).toHaveLength(4);
});

test('a hybrid or lexical score is between 0 and 1', async () => {
  const engine = await indexed();
  const query = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('pool', 'retries', 'max_connections'),
  );
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom<Mode>('hybrid', 'lexical'), async (text, mode) => {
      fc.pre(text.trim() !== '');
      for (const { score } of await engine.search(text, { mode })) expect(score >= 0 && score <= 1).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test.each<Mode>(['hybrid', 'lexical', 'dense'])(
  '%s: the first n results of a longer answer are the answer with limit n',
  async (mode) => {
    const engine = await indexed();
    const all = await places(engine, 'connections of a pool', { mode, limit: 50 });
    for (let limit = 1; limit <= all.length; limit++) {
      expect(await places(engine, 'connections of a pool', { mode, limit })).toEqual(all.slice(0, limit));
    }
  },
);

test.each<Mode>(['hybrid', 'lexical', 'dense'])(
  '%s: neither the order in which files were indexed nor a restart matters',
  async (mode) => {
    const place = await ownPlace();
    const first = await engineOf(place);
    for (const [key, text] of Object.entries(FILES)) await first.indexFile(key, text);
    const scores = async (engine: SearchEngine) =>
      (await engine.search('connections limits', { mode })).map(({ score, file, passage }) => [
        score,
        file.key,
        passage.position,
      ]);
    const before = await scores(first);
    await first.close();
    expect(await scores(await engineOf(place))).toEqual(before);
    const other = await indexed(Object.fromEntries(Object.entries(FILES).reverse()));
    expect(await scores(other)).toEqual(before);
  },
);

test('of the passages with a quoted phrase of common words, the one that is more about it comes first', async () => {
  const texts = [
    'A token that goes round in a ring of many machines.',
    'A list of those who have access to a house with rooms.',
    'Pears and plums are kept in the dark for a few weeks.',
    'Figs and dates are dried in the sun before they are sold.',
  ];
  const others = Array.from({ length: 40 }, (_, i) => [`${i}.md`, texts[i % 4]]);
  const engine = await indexed({
    ...Object.fromEntries(others),
    'a.md': 'The access token is a string.',
    'b.md': 'Access token: each access token expires.',
  });
  expect(await places(engine, '"access token"', { mode: 'lexical' })).toEqual(['b.md 0', 'a.md 0']);
});

test('searchFiles takes the mode in the request', async () => {
  const engine = await indexed();
  const { passages } = await engine.searchFiles({ query: '"keeps connections"', mode: 'lexical' });
  expect(passages.map(({ file }) => file.key)).toEqual(['glossary.md']);
  const wrong = engine.searchFiles({ query: 'pool', mode: 'fuzzy' as Mode });
  await expect(wrong).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'mode must be hybrid, dense or lexical; it is "fuzzy".',
  });
});

test('consolidation works the same in every mode', async () => {
  const engine = await indexed();
  for (const mode of ['hybrid', 'lexical', 'dense'] as const) {
    const { passages } = await engine.searchFiles({ query: 'connections', consolidate: true, mode });
    expect(new Set(passages.map(({ file }) => file.key)).size).toBe(passages.length);
    expect(passages.map(({ meta }) => meta.type)).toEqual(passages.map(() => 'consolidated'));
  }
});

test('in every mode, the passage that matched is returned, with the same neighbours', async () => {
  const engine = await indexed({ 'a.md': '# A\n\nplums\n\n# B\n\npears of a pool\n\n# C\n\napples\n' });
  for (const mode of ['hybrid', 'lexical', 'dense'] as const) {
    const [hit] = await engine.search('pears of a pool', { mode });
    expect(hit?.passage).toMatchObject({ content: 'pears of a pool', position: 1 });
    const found = async (contextDepth: number) =>
      (await engine.searchFiles({ query: 'pears of a pool', contextDepth, mode })).passages[0];
    expect(await found(0)).toMatchObject({ content: 'pears of a pool', score: hit?.score, meta: { position: 1 } });
    expect(await found(1)).toMatchObject({
      content: 'plums\n\n# B\n\npears of a pool\n\n# C\n\napples',
      score: hit?.score,
      meta: { position: 1 },
    });
  }
});
