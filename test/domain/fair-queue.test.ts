import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from '#src/domain/scheduling/fair-queue.js';

/** The owners in the order in which their items are taken; each item costs its owner `cost`. */
function order(queue: FairQueue<number>): unknown[] {
  const owners: unknown[] = [];
  for (let next = queue.take(); next; next = queue.take()) {
    queue.charge(next.owner, next.item);
    owners.push(next.owner);
  }
  return owners;
}

test('owners with equal items alternate, however many each has', () => {
  const queue = new FairQueue<number>();
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'b']) queue.add(owner, 1);
  expect(order(queue)).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
});

test('an owner of cheap items is served several for each expensive item of another owner', () => {
  const queue = new FairQueue<number>();
  for (const cost of [30, 30]) queue.add('dear', cost);
  for (const cost of [10, 10, 10, 10]) queue.add('cheap', cost);
  expect(order(queue)).toEqual(['dear', 'cheap', 'cheap', 'cheap', 'dear', 'cheap']);
});

test('an owner that comes late is next, but has saved up no further turns', () => {
  const queue = new FairQueue<number>();
  for (let i = 0; i < 5; i += 1) queue.add('early', 10);
  for (let i = 0; i < 3; i += 1) queue.charge(queue.take()?.owner, 10);
  queue.add('late', 10);
  queue.add('late', 10);
  queue.add('late', 10);
  expect(order(queue)).toEqual(['late', 'early', 'late', 'early', 'late']);
});

test('an item that was put back is the next of its owner', () => {
  const queue = new FairQueue<number>();
  queue.add('a', 1);
  queue.add('a', 2);
  const taken = queue.take();
  queue.putBack('a', taken?.item as number);
  expect([queue.size, queue.take()?.item, queue.take()?.item]).toEqual([2, 1, 2]);
});

test('owners that are not ready are left out', () => {
  const queue = new FairQueue<number>();
  queue.add('a', 1);
  queue.add('b', 2);
  expect(queue.take((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 2 });
  expect(queue.take((owner) => owner !== 'a')).toBeUndefined();
  expect(queue.take()).toEqual({ owner: 'a', item: 1 });
});

test('while two owners have items, neither uses more than one item above the other', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(costs, costs, (a, b) => {
      const queue = new FairQueue<number>();
      for (const cost of a) queue.add('a', cost);
      for (const cost of b) queue.add('b', cost);
      const used: Record<string, number> = { a: 0, b: 0 };
      while (queue.sizeOf('a') > 0 && queue.sizeOf('b') > 0) {
        const { owner, item } = queue.take() as { owner: string; item: number };
        queue.charge(owner, item);
        used[owner] = (used[owner] ?? 0) + item;
        expect(Math.abs((used.a ?? 0) - (used.b ?? 0))).toBeLessThanOrEqual(100);
      }
    }),
  );
});
