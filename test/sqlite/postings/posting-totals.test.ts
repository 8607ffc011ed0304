import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lexicalScorer } from '#src/search/lexical-score.js';
import { queryTerms } from '#src/text/query-terms.js';
import { fileToPut, putNow } from '../../support/file-to-put.js';
import { type OpenStore, storeOf } from '../../support/store.js';

const LINES = [
  'the pump restarts',
  'the valve closes slowly and again',
  'a lamp',
  'pump valve pump',
  'the door of the pump',
];

/** A change to one of three files: its new lines, or none where it is removed. */
const change = fc.record({
  key: fc.constantFrom('a.md', 'b.md', 'c.md'),
  lines: fc.option(fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 4 })),
});

async function apply({ store }: OpenStore, { key, lines }: { key: string; lines: string[] | null }): Promise<void> {
  if (lines) await putNow(store, fileToPut(key, lines));
  else await store.remove(key);
}

async function weights({ store }: OpenStore): Promise<unknown> {
  const lexical = queryTerms('pump valve lamp door');
  const { candidates, statistics } = await store.retrieve({ lexical, limit: 100 });
  const scorer = lexicalScorer(lexical, statistics);
  const scores = candidates.map((candidate) => scorer.match(candidate).bm25).sort((a, b) => b - a);
  return { statistics, scores, ceiling: scorer.ceiling };
}

test('after any edits and removals the weights are those of an index in which nothing was ever changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const edited = await storeOf();
      for (const each of changes) await apply(edited, each);
      const fresh = await storeOf();
      for (const each of new Map(changes.map((each) => [each.key, each])).values()) await apply(fresh, each);
      expect(await weights(edited)).toEqual(await weights(fresh));
    }),
    { numRuns: 25 },
  );
});

test('a change that fails changes no weight, not even of the next', async () => {
  const parts = await storeOf();
  await putNow(parts.store, fileToPut('a.md', ['the pump restarts', 'a lamp']));
  const twice = fileToPut('a.md', ['pump valve pump', 'the door of the pump']);
  const [first, second] = twice.passages;
  if (!first || !second) throw new RangeError('two lines are two passages');
  const clash = { ...twice, passages: [first, { ...second, position: first.position }] };
  await expect(putNow(parts.store, clash)).rejects.toThrow(/UNIQUE/);
  await putNow(parts.store, fileToPut('b.md', ['the valve closes slowly and again']));
  const fresh = await storeOf();
  await putNow(fresh.store, fileToPut('a.md', ['the pump restarts', 'a lamp']));
  await putNow(fresh.store, fileToPut('b.md', ['the valve closes slowly and again']));
  expect(await weights(parts)).toEqual(await weights(fresh));
});

test('a database of an earlier version gets its totals when it is opened', async () => {
  const before = await storeOf();
  await putNow(before.store, fileToPut('a.md', ['the pump restarts', 'a lamp', 'pump valve pump']));
  const right = await weights(before);
  before.connection.exec('DELETE FROM posting_totals');
  expect(await weights(await storeOf({ file: before.file }))).toEqual(right);
});
