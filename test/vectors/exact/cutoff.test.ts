import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Cutoff } from '#src/vectors/exact/cutoff.js';

const scores = fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { maxLength: 200 });

it('never exceeds the limit-th best score, never falls, and is at most 1/2048 below it for cosines', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 20 }), (counted, limit) => {
      const cutoff = new Cutoff(limit);
      let before = cutoff.value;
      for (const score of counted) {
        cutoff.count(score);
        expect(cutoff.value).toBeGreaterThanOrEqual(before);
        before = cutoff.value;
      }
      const worst = counted.toSorted((a, b) => b - a)[limit - 1] ?? Number.NEGATIVE_INFINITY;
      expect(cutoff.value).toBeLessThanOrEqual(worst);
      if (worst >= -1 && worst < 1) expect(worst - cutoff.value).toBeLessThanOrEqual(1 / 2048);
    }),
  );
});

it('equals a score at the edge of a bin, and is below a score just under the edge', () => {
  const cutoffOf = (score: number) => {
    const cutoff = new Cutoff(1);
    cutoff.count(score);
    return cutoff.value;
  };
  expect([0, 1 / 2048, -(2 ** -149), -1, -1.5, 3].map(cutoffOf)).toEqual([
    0,
    1 / 2048,
    -1 / 2048,
    -1,
    Number.NEGATIVE_INFINITY,
    2047 / 2048,
  ]);
});
