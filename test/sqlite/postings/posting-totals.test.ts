import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryTerms } from '#src/text/query-terms.js';
import { fileToPut } from '../../support/file-to-put.js';
import { type StoreParts, storeOf } from '../../support/store.js';

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

async function apply({ store }: StoreParts, { key, lines }: { key: string; lines: string[] | null }): Promise<void> {
  if (lines) await store.put(fileToPut(key, lines));
  else await store.remove(key);
}

async function weights({ store }: StoreParts): Promise<unknown> {
  const { ceiling, neighbours } = await store.matching(queryTerms('pump valve lamp door'), { limit: 100 });
  return { ceiling, scores: neighbours.map(({ score }) => score) };
}

test('after any edits and removals the weights are those of an index in which nothing was ever changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const edited = storeOf();
      for (const each of changes) await apply(edited, each);
      const fresh = storeOf();
      for (const each of new Map(changes.map((each) => [each.key, each])).values()) await apply(fresh, each);
      expect(await weights(edited)).toEqual(await weights(fresh));
    }),
    { numRuns: 25 },
  );
});

test('a change that fails changes no weight, not even of the next', async () => {
  const parts = storeOf();
  await parts.store.put(fileToPut('a.md', ['the pump restarts', 'a lamp']));
  const twice = fileToPut('a.md', ['pump valve pump', 'the door of the pump']);
  const [first, second] = twice.passages;
  if (!first || !second) throw new RangeError('two lines are two passages');
  const clash = { ...twice, passages: [first, { ...second, position: first.position }] };
  await expect(parts.store.put(clash)).rejects.toThrow(/UNIQUE/);
  await parts.store.put(fileToPut('b.md', ['the valve closes slowly and again']));
  const fresh = storeOf();
  await fresh.store.put(fileToPut('a.md', ['the pump restarts', 'a lamp']));
  await fresh.store.put(fileToPut('b.md', ['the valve closes slowly and again']));
  expect(await weights(parts)).toEqual(await weights(fresh));
});

test('weights that an earlier version left wrong are put right when the store is tidied', async () => {
  const parts = storeOf();
  await parts.store.put(fileToPut('a.md', ['the pump restarts', 'a lamp', 'pump valve pump']));
  const right = await weights(parts);
  // Rows put in place of others, without a word to the totals.
  const rows = parts.database.prepare('SELECT number FROM passages').pluck().all();
  const put = parts.database.prepare('INSERT OR REPLACE INTO postings_1 (rowid, breadcrumb, text) VALUES (?, ?, ?)');
  const lines = ['the pump restarts', 'a lamp', 'pump valve pump'];
  for (const [i, row] of rows.entries()) put.run(row, 'a.md', lines[i]);
  await parts.store.tidy();
  await parts.store.put(fileToPut('a.md', lines));
  expect(await weights(parts)).toEqual(right);
});
