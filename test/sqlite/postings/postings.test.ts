import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryTerms } from '#src/text/query-terms.js';
import { fileToPut } from '../../support/file-to-put.js';
import { storeOf } from '../../support/store.js';

/** Contents of the passages that match a query, best first. */
async function found(store: ReturnType<typeof storeOf>['store'], query: string, tags?: Record<string, string>) {
  const { neighbours } = await store.matching(queryTerms(query), { limit: 10, tags });
  return (await store.passages(neighbours.map(({ id }) => id))).map(({ passage }) => passage.content);
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
  const { store } = storeOf();
  await store.put(fileToPut('notes', LINES));
  expect((await found(store, query))[0]).toBe(LINES[line]);
});

test('a quoted phrase must stand there; one that stands nowhere is words', async () => {
  const { store } = storeOf();
  await store.put(fileToPut('notes', LINES));
  expect(await found(store, '"reset the connection" peer')).toEqual([LINES[10]]);
  expect(await found(store, '"reset the connection" retry')).toEqual([LINES[10]]);
  expect(await found(store, '"peer connection" retry')).toContain(LINES[10]);
});

test('postings are in step with the passages: replaced, removed, filtered', async () => {
  const { store, database } = storeOf();
  await store.put(fileToPut('a', ['apple pie', 'plum pie'], { tags: { kind: 'sweet' } }));
  await store.put(fileToPut('b', ['apple cider', 'pear cider']));
  expect(await found(store, 'apple')).toHaveLength(2);
  expect(await found(store, 'apple', { kind: 'sweet' })).toEqual(['apple pie']);
  await store.put(fileToPut('a', ['quince pie', 'plum pie'], { tags: { kind: 'sweet' } }));
  expect(await found(store, 'apple')).toEqual(['apple cider']);
  expect(await found(store, 'quince')).toEqual(['quince pie']);
  await store.remove('b');
  expect(await found(store, 'apple')).toEqual([]);
  const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'postings%docsize'`).pluck().get();
  expect(database.prepare(`SELECT count(*) FROM ${rows}`).pluck().get()).toBe(2);
});

test('exact scores of given passages are those of the ranking', async () => {
  const { store } = storeOf();
  await store.put(fileToPut('notes', LINES));
  const query = queryTerms('reset the connection');
  const { neighbours, ceiling } = await store.matching(query, { limit: 10 });
  const cafe = 6;
  const also = [...neighbours.map(({ id }) => id), cafe];
  const scores = await store.matchScores(query, also);
  expect(scores).toEqual([...neighbours.map(({ score }) => score), 0]);
  for (const { score } of neighbours) expect(score).toBeLessThanOrEqual(ceiling);
});

test('no string that a person can type is an error', { timeout: 120_000 }, async () => {
  const { store } = storeOf();
  await store.put(fileToPut('notes', LINES));
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
      await store.matching(queryTerms(query), { limit: 10 });
    }),
    { numRuns: 100_000, seed: 1 },
  );
});

test("a term's scores are those that FTS5's bm25() has, after any edits too", async () => {
  const word = fc.constantFrom(
    'pump',
    'pumps',
    'valve',
    'C++',
    'node.js',
    'retrying',
    'データベース',
    'max_connections',
    'ß',
    'X-1',
  );
  const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  const file = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 6 }), word, async (files, term) => {
      const { store, database } = storeOf();
      const query = { terms: [term.toLowerCase()], phrases: [] };
      for (const { key, lines } of files) {
        await store.put(fileToPut(key, lines));
        await store.matching(query, { limit: 10 });
      }
      const { neighbours } = await store.matching(query, { limit: 100 });
      const expected = database
        .prepare<[string], { id: number; score: number }>(
          `SELECT rowid AS id, -bm25(postings_1, 2, 1) AS score FROM postings_1 WHERE postings_1 MATCH ?`,
        )
        .all(`"${term.toLowerCase()}"`);
      const byId = (all: readonly { id: number; score: number }[]) =>
        new Map(all.map(({ id, score }) => [id, Number(score.toPrecision(12))]));
      expect(byId(neighbours)).toEqual(byId(expected));
    }),
    { numRuns: 60 },
  );
});
