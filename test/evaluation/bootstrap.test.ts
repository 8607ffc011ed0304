import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapDifference, bootstrapMean } from 'waymark/evaluation';

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 });

describe('the bootstrap interval of a mean', () => {
  it('collapses to the mean if all values are equal', () => {
    expect(bootstrapMean([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  });

  it('approaches the normal approximation for many values', () => {
    // 200 zeros and ones, half and half: the mean is 0.5 ± 1.96 · 0.5 / √200 = 0.0693.
    const coins = Array.from({ length: 200 }, (_, i) => i % 2);
    const { mean, low, high } = bootstrapMean(coins, { resamples: 10_000 });
    expect(mean).toBe(0.5);
    expect(low).toBeCloseTo(0.431, 1);
    expect(high).toBeCloseTo(0.569, 1);
  });

  it('is reproducible from its seed and widens with the confidence level', () => {
    const some = [0, 0.2, 0.4, 1, 1, 0.3];
    expect(bootstrapMean(some, { seed: 7 })).toEqual(bootstrapMean(some, { seed: 7 }));
    expect(bootstrapMean(some, { seed: 7 })).not.toEqual(bootstrapMean(some, { seed: 8 }));
    const [sure, surer] = [bootstrapMean(some, { confidence: 0.5 }), bootstrapMean(some, { confidence: 0.99 })];
    expect(surer.high - surer.low).toBeGreaterThan(sure.high - sure.low);
  });

  it('lies within the range of the values', () => {
    fc.assert(
      fc.property(values, (some) => {
        const { mean, low, high } = bootstrapMean(some, { resamples: 1000 });
        const slack = 1e-9;
        expect(low).toBeGreaterThanOrEqual(Math.min(...some) - slack);
        expect(high).toBeLessThanOrEqual(Math.max(...some) + slack);
        expect(low).toBeLessThanOrEqual(high);
        expect(mean).toBeGreaterThanOrEqual(Math.min(...some) - slack);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects an empty list', () => {
    expect(() => bootstrapMean([])).toThrow(RangeError);
  });
});

describe('the bootstrap interval of a paired difference', () => {
  it('excludes 0 for a small gain that every query shares', () => {
    const before = [0, 0.9, 0.1, 0.5];
    const { mean, low, high } = bootstrapDifference({ before, after: before.map((value) => value + 0.1) });
    expect([mean, low, high].map((value) => value.toFixed(6))).toEqual(['0.100000', '0.100000', '0.100000']);
  });

  it('includes 0 for a gain of a single query', () => {
    const { mean, low } = bootstrapDifference({ before: [0, 0, 0, 0], after: [1, 0, 0, 0] });
    expect({ mean, low }).toEqual({ mean: 0.25, low: 0 });
  });

  it('rejects lists of different lengths', () => {
    expect(() => bootstrapDifference({ before: [1], after: [1, 2] })).toThrow(RangeError);
  });
});
