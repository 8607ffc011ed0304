import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from '#src/domain/scheduling/turns.js';

/** The owners in the order in which their items are taken; each item costs its owner `cost`. */
function order(turns: Turns<number>): unknown[] {
  const owners: unknown[] = [];
  for (let next = turns.take(); next; next = turns.take()) {
    turns.charge(next.owner, next.item);
    owners.push(next.owner);
  }
  return owners;
}

test('owners with equal items alternate, however many each has', () => {
  const turns = new Turns<number>();
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'b']) turns.add(owner, 1);
  expect(order(turns)).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
});

test('an owner of cheap items has several for each dear one of another', () => {
  const turns = new Turns<number>();
  for (const cost of [30, 30]) turns.add('dear', cost);
  for (const cost of [10, 10, 10, 10]) turns.add('cheap', cost);
  expect(order(turns)).toEqual(['dear', 'cheap', 'cheap', 'cheap', 'dear', 'cheap']);
});

test('an owner that comes late is next, and has nothing saved up', () => {
  const turns = new Turns<number>();
  for (let i = 0; i < 5; i += 1) turns.add('early', 10);
  for (let i = 0; i < 3; i += 1) turns.charge(turns.take()?.owner, 10);
  turns.add('late', 10);
  turns.add('late', 10);
  turns.add('late', 10);
  expect(order(turns)).toEqual(['late', 'early', 'late', 'early', 'late']);
});

test('an item that was put back is the next of its owner', () => {
  const turns = new Turns<number>();
  turns.add('a', 1);
  turns.add('a', 2);
  const taken = turns.take();
  turns.putBack('a', taken?.item as number);
  expect([turns.size, turns.take()?.item, turns.take()?.item]).toEqual([2, 1, 2]);
});

test('owners that are not ready are left out', () => {
  const turns = new Turns<number>();
  turns.add('a', 1);
  turns.add('b', 2);
  expect(turns.take((owner) => owner !== 'a')).toEqual({ owner: 'b', item: 2 });
  expect(turns.take((owner) => owner !== 'a')).toBeUndefined();
  expect(turns.take()).toEqual({ owner: 'a', item: 1 });
});

test('while two owners have items, neither uses more than one item above the other', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(costs, costs, (a, b) => {
      const turns = new Turns<number>();
      for (const cost of a) turns.add('a', cost);
      for (const cost of b) turns.add('b', cost);
      const used: Record<string, number> = { a: 0, b: 0 };
      while (turns.sizeOf('a') > 0 && turns.sizeOf('b') > 0) {
        const { owner, item } = turns.take() as { owner: string; item: number };
        turns.charge(owner, item);
        used[owner] = (used[owner] ?? 0) + item;
        expect(Math.abs((used.a ?? 0) - (used.b ?? 0))).toBeLessThanOrEqual(100);
      }
    }),
  );
});
