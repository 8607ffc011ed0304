import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestBatcher } from '#src/domain/scheduling/request-batcher.js';

/** Requests that are recorded, each answered with the double of its items. */
function recorded(limits: { items: number; running: number; bytes?: number; sizeOf?: (item: number) => number }) {
  const sent: (readonly number[])[] = [];
  const counts = { running: 0, most: 0 };
  const requests = new RequestBatcher<number, number>(async (items) => {
    sent.push(items);
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await Promise.resolve();
    counts.running -= 1;
    return items.map((item) => 2 * item);
  }, limits);
  return { requests, sent, counts };
}

test('items that are asked for at the same time share a request, up to its limit, in their order', async () => {
  const { requests, sent } = recorded({ items: 2, running: 1 });
  expect(await Promise.all([1, 2, 3].map((item) => requests.submit(item)))).toEqual([2, 4, 6]);
  expect(sent).toEqual([[1, 2], [3]]);
});

test('a request has no more than its bytes, unless one item is larger', async () => {
  const { requests, sent } = recorded({ items: 9, running: 1, bytes: 10, sizeOf: (item) => item });
  await Promise.all([4, 5, 12, 6, 4].map((item) => requests.submit(item)));
  expect(sent).toEqual([[4, 5], [12], [6, 4]]);
});

test('an item that failed rejects alone, a request that failed rejects all its items', async () => {
  const requests = new RequestBatcher<string, string>(
    async (items) => {
      if (items.includes('all')) throw new Error('all failed');
      return items.map((item) => (item === 'one' ? new Error('one failed') : item));
    },
    { items: 2, running: 1 },
  );
  const asked = await Promise.allSettled(['a', 'one', 'all', 'b', 'c'].map((item) => requests.submit(item)));
  expect(asked.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([
    'a',
    'one failed',
    'all failed',
    'all failed',
    'c',
  ]);
});

test('every item gets its answer, with no more requests at once than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer(), { maxLength: 8 }), { maxLength: 8 }),
      fc.record({ items: fc.integer({ min: 1, max: 5 }), running: fc.integer({ min: 1, max: 3 }) }),
      async (turns, limits) => {
        const { requests, sent, counts } = recorded(limits);
        const answers: Promise<number>[] = [];
        for (const turn of turns) {
          for (const item of turn) answers.push(requests.submit(item));
          await new Promise(setImmediate);
        }
        expect(await Promise.all(answers)).toEqual(turns.flat().map((item) => 2 * item));
        expect(sent.flat()).toEqual(turns.flat());
        expect(counts.most).toBeLessThanOrEqual(limits.running);
        expect(Math.max(0, ...sent.map(({ length }) => length))).toBeLessThanOrEqual(limits.items);
      },
    ),
  );
});
