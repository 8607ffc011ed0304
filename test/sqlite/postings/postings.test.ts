import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lexicalScorer } from '#src/search/lexical-score.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import type { LexicalQuery } from '#src/storage/retrieval.js';
import { queryTerms } from '#src/text/query-terms.js';
import { fileToPut, putNow } from '../../support/file-to-put.js';
import { storeOf } from '../../support/store.js';

/** Contents of the passages that match a query, best first. */
async function found(store: PassageStore, query: string, tags?: Record<string, string>): Promise<string[]> {
  const ranked = await scores(store, queryTerms(query), tags);
  return (await store.read(ranked, { limit: 10, context: 0 })).passages.map(({ passage }) => passage.content);
}

/** The BM25 of the passages that match a query. */
async function scores(store: PassageStore, lexical: LexicalQuery, tags?: Record<string, string>) {
  const { candidates, statistics } = await store.retrieve({ lexical, tags, limit: 100 });
  const scorer = lexicalScorer(lexical, statistics);
  return candidates.map((candidate) => ({ id: candidate.id, sum: scorer.match(candidate).bm25 }));
}

const LINES = [
  'The max_connections option limits clients.',
  'Use --dry-run to see what would happen.',
  'Written in C++ for node.js, version 1.2.3.',
  'ERR_STREAM_PREMATURE_CLOSE means that the peer hung up.',
  'camelCaseName is a name.',
  'Le café est fermé.',
  'データベースの接続を設定する。',
  '서버를 다시 시작하세요.',
  'การเชื่อมต่อฐานข้อมูล',
  'The connection was reset by the peer.',
  'Reset the connection before you retry.',
];

test.each([
  ['max_connections', 0],
  ['connections max', 0],
  ['--dry-run', 1],
  ['dry run', 1],
  ['C++', 2],
  ['node.js', 2],
  ['1.2.3', 2],
  ['ERR_STREAM_PREMATURE_CLOSE', 3],
  ['premature close', 3],
  ['camelCaseName', 4],
  ['camel case', 4],
  ['cafe', 5],
  ['データベース', 6],
  ['接続', 6],
  ['서버', 7],
  ['ฐานข้อมูล', 8],
  ['"connection was reset"', 9],
  ['retries', 10],
])('%s is found', async (query, line) => {
  const { store } = await storeOf();
  await putNow(store, fileToPut('notes', LINES));
  expect((await found(store, query))[0]).toBe(LINES[line]);
});

test('a quoted phrase must occur; one that occurs nowhere is searched as words', async () => {
  const { store } = await storeOf();
  await putNow(store, fileToPut('notes', LINES));
  expect(await found(store, '"reset the connection" peer')).toEqual([LINES[10]]);
  expect(await found(store, '"reset the connection" retry')).toEqual([LINES[10]]);
  expect(await found(store, '"peer connection" retry')).toContain(LINES[10]);
});

test('a word that is in a passage very often does not hide the passages behind it', async () => {
  const { store } = await storeOf();
  const often = Array.from({ length: 300 }, (_, i) => `${'pump '.repeat(40)}n${i}`);
  await putNow(store, fileToPut('a', [...often, ...Array.from({ length: 400 }, (_, i) => `other n${i}`)]));
  await putNow(store, fileToPut('b', ['the last pump'], { tags: { kind: 'last' } }));
  expect(await found(store, 'pump', { kind: 'last' })).toEqual(['the last pump']);
});

test('a word or phrase of most passages of a large collection is found in the files of a filter', async () => {
  const { store } = await storeOf();
  await putNow(
    store,
    fileToPut(
      'a',
      Array.from({ length: 5_500 }, (_, i) => `red pump n${i}`),
    ),
  );
  await putNow(store, fileToPut('b', ['a red pump', 'a red and blue pump'], { tags: { kind: 'last' } }));
  await putNow(
    store,
    fileToPut(
      'c',
      Array.from({ length: 5_500 }, (_, i) => `red pump m${i}`),
    ),
  );
  await putNow(store, fileToPut('d', ['the other red pump'], { tags: { kind: 'last' } }));
  const last = { kind: 'last' };
  expect((await found(store, 'pump', last)).sort()).toEqual([
    'a red and blue pump',
    'a red pump',
    'the other red pump',
  ]);
  expect((await found(store, '"red pump"', last)).sort()).toEqual(['a red pump', 'the other red pump']);
});

test('a filter changes no BM25 of a word or phrase that more passages have than are read', async () => {
  const { store } = await storeOf();
  const first = ['pump pump pump', 'red pump red pump', 'the pump'];
  await putNow(store, fileToPut('a', first, { tags: { kind: 'first' } }));
  await putNow(
    store,
    fileToPut(
      'b',
      Array.from({ length: 5_500 }, (_, i) => `one red pump of many others n${i}`),
    ),
  );
  for (const query of ['pump', '"red pump"']) {
    const all = new Map((await scores(store, queryTerms(query))).map(({ id, sum }) => [id, sum]));
    const filtered = await scores(store, queryTerms(query), { kind: 'first' });
    expect(filtered).not.toEqual([]);
    expect(filtered).toEqual(filtered.map(({ id }) => ({ id, sum: all.get(id) })));
  }
});

test('a file described by a word that more passages have than are read is found before others', async () => {
  const { store } = await storeOf();
  await putNow(
    store,
    fileToPut(
      'a',
      Array.from({ length: 5_500 }, (_, i) => `one pump of many others n${i}`),
    ),
  );
  const tags = { kind: 'last' };
  await putNow(
    store,
    fileToPut('b', ['the pump is hot', 'the drill is hot'], { tags, metadata: { description: 'pump' } }),
  );
  await putNow(store, fileToPut('c', ['the pump is cold'], { tags }));
  expect((await found(store, 'pump'))[0]).toBe('the pump is hot');
  expect(await found(store, 'pump', tags)).toEqual(['the pump is hot', 'the pump is cold', 'the drill is hot']);
});

test('postings follow the passages: replaced, removed, filtered', async () => {
  const { store, connection } = await storeOf();
  await putNow(store, fileToPut('a', ['apple pie', 'plum pie'], { tags: { kind: 'sweet' } }));
  await putNow(store, fileToPut('b', ['apple cider', 'pear cider']));
  expect(await found(store, 'apple')).toHaveLength(2);
  expect(await found(store, 'apple', { kind: 'sweet' })).toEqual(['apple pie']);
  await putNow(store, fileToPut('a', ['quince pie', 'plum pie'], { tags: { kind: 'sweet' } }));
  expect(await found(store, 'apple')).toEqual(['apple cider']);
  expect(await found(store, 'quince')).toEqual(['quince pie']);
  await store.remove('b');
  expect(await found(store, 'apple')).toEqual([]);
  const rows = connection.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'postings%docsize'`).pluck().get();
  expect(connection.prepare(`SELECT count(*) FROM ${rows}`).pluck().get()).toBe(2);
});

test('no string that a person can type is an error', async () => {
  const { store } = await storeOf();
  await putNow(store, fileToPut('notes', LINES));
  const marks = fc.constantFrom(
    ...'"\'*:^-+(){}[]~|&<>=\\/.,;%$#@! \u0000\n',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'text:',
    'peer',
    '接続',
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(marks, { maxLength: 30 }).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(hostile, async (query) => {
      await store.retrieve({ lexical: queryTerms(query), limit: 10 });
    }),
    { numRuns: 100_000, seed: 1 },
  );
});

test("the BM25 of a term is that of FTS5's bm25()", async () => {
  const word = fc.constantFrom('pump', 'pumps', 'valve', 'C++', 'node.js', 'retrying', 'データベース', 'ß', 'X-1');
  const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), word, async (lines, term) => {
      const { store, connection } = await storeOf();
      await putNow(store, fileToPut('notes', lines));
      const found = await scores(store, { terms: [term.toLowerCase()], phrases: [] });
      const expected = connection
        .prepare<[string], { id: number; sum: number }>(
          `SELECT rowid AS id, -bm25(postings_1, 2, 1) AS sum FROM postings_1 WHERE postings_1 MATCH ?`,
        )
        .all(`"${term.toLowerCase()}"`);
      // Summed in another order, the last digits differ.
      const near = (sum: number) => expect.closeTo(sum, 9);
      expect(new Map(found.map(({ id, sum }) => [id, sum]))).toEqual(
        new Map(expected.map(({ id, sum }) => [id, near(sum)])),
      );
    }),
    {
      numRuns: 60,
      examples: [
        [
          [
            'pump',
            'pump データベース pump pump データベース pump pump pump',
            'node.js X-1 pump データベース データベース node.js X-1 node.js X-1 pump',
            'pump pump pump データベース pump X-1 pump X-1 X-1 データベース pump データベース',
            'pump node.js node.js pump pump pump pump pump',
          ],
          'node.js',
        ],
      ],
    },
  );
});
