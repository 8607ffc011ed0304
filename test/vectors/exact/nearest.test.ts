import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Nearest } from '#src/vectors/exact/nearest.js';
import { MAX_ID } from '#src/vectors/vector-index.js';

const score = fc.oneof(
  fc.constantFrom(-1, -0.5, 0, 0.25, 1),
  fc.float({ min: -2, max: 2, noNaN: true }).map((number) => number + 0),
);
const offers = fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: MAX_ID }), score }), {
  selector: ({ id }) => id,
  maxLength: 300,
});

it('keeps the best of the offers, with the same score bits, whatever their order', () => {
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 50 }), (offered, limit) => {
      const nearest = new Nearest(limit);
      for (const { id, score } of offered) if (score >= nearest.threshold) nearest.offer(id, score);
      const sorted = offered.toSorted((a, b) => b.score - a.score || a.id - b.id);
      expect(nearest.sorted()).toEqual(sorted.slice(0, limit));
    }),
  );
});

it('accepts more offers than its initial capacity', () => {
  const nearest = new Nearest(3);
  for (let id = 0; id < 10_000; id++) nearest.offer(id, Math.fround(id / 10_000));
  const all = new Nearest(1e9);
  for (let id = 0; id < 10_000; id++) all.offer(id, 0.5);
  expect(nearest.sorted().map(({ id }) => id)).toEqual([9999, 9998, 9997]);
  expect(all.sorted().map(({ id }) => id)).toEqual([...Array(10_000).keys()]);
});
