import { describe, expect, it } from 'vitest';
import { auroc, quantile, reciprocalRank } from 'waymark/evaluation';

describe('RR', () => {
  it('is one over the rank of the first relevant result among the first k', () => {
    expect(reciprocalRank([true, true], { k: 10 })).toBe(1);
    expect(reciprocalRank([false, false, true, true], { k: 10 })).toBe(1 / 3);
    expect(reciprocalRank([false, false, true], { k: 2 })).toBe(0);
    expect(reciprocalRank([], { k: 10 })).toBe(0);
  });
});

describe('AUROC', () => {
  it('is the share of pairs in which the positive is greater; ties count half', () => {
    // 0.9 beats both, 0.5 beats 0.1 and equals 0.5: 3.5 of 4.
    expect(auroc([0.9, 0.5], [0.5, 0.1])).toBe(0.875);
    expect(auroc([1, 2], [-1, 0])).toBe(1);
    expect(auroc([0], [1])).toBe(0);
    expect(auroc([1, 1], [1])).toBe(0.5);
  });

  it('is undefined without positives or without negatives', () => {
    expect([auroc([], [1]), auroc([1], [])]).toEqual([undefined, undefined]);
  });
});

describe('quantile', () => {
  it('interpolates between neighbouring values', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10, 20], 0.95)).toBeCloseTo(19.5, 10);
    expect([quantile([3, 1, 2], 0), quantile([3, 1, 2], 1), quantile([7], 0.95)]).toEqual([1, 3, 7]);
  });

  it('rejects an empty list and a share out of range', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => quantile([1, 2], 1.5)).toThrow(RangeError);
  });
});
