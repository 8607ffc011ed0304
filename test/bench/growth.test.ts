import { describe, expect, it } from 'vitest';
import { indexKind, optionsOf, sizesOf } from '../../bench/growth/arguments.js';
import { exponentOf } from '../../bench/growth/exponent.js';
import { verdict } from '../../bench/growth/verdict.js';
import { UsageError } from '../../bench/usage-error.js';

describe('the exponent of growth', () => {
  it('is that of a power law', () => {
    const law = (exponent: number) => [10, 20, 70].map((x) => ({ x, y: 3 * x ** exponent }));
    expect(exponentOf(law(0))).toBeCloseTo(0, 12);
    expect(exponentOf(law(1))).toBeCloseTo(1, 12);
    expect(exponentOf(law(1.5))).toBeCloseTo(1.5, 12);
    expect(exponentOf(law(-2))).toBeCloseTo(-2, 12);
  });

  it('is the least-squares slope in logarithms of points that are on no law', () => {
    const points = [
      { x: 1, y: 1 },
      { x: 10, y: 100 },
      { x: 100, y: 100 },
    ];
    expect(exponentOf(points)).toBeCloseTo(1, 12);
  });

  it('is undefined for one x, however often measured', () => {
    expect(exponentOf([])).toBeUndefined();
    expect(exponentOf([{ x: 5, y: 1 }])).toBeUndefined();
    expect(
      exponentOf([
        { x: 5, y: 1 },
        { x: 5, y: 2 },
      ]),
    ).toBeUndefined();
  });

  it('is undefined where a value has no logarithm', () => {
    for (const value of [0, -1, Number.NaN]) {
      expect(
        exponentOf([
          { x: 1, y: 1 },
          { x: 2, y: 2 },
          { x: 3, y: value },
        ]),
      ).toBeUndefined();
      expect(
        exponentOf([
          { x: 1, y: 1 },
          { x: 2, y: 2 },
          { x: value, y: 3 },
        ]),
      ).toBeUndefined();
    }
  });
});

describe('a verdict', () => {
  it('says whether a figure is where it should be', () => {
    expect(verdict('first answer', { value: 1234.5, most: 1500, unit: 'ms' })).toBe(
      'met  first answer: 1,235 ms (target: at most 1,500)',
    );
    expect(verdict('first answer', { value: 1500.6, most: 1500, unit: 'ms' })).toMatch(/^MISSED /);
    expect(verdict('recall', { value: 0.5, least: 0.99 })).toBe('MISSED  recall: 0.5 (target: at least 0.99)');
    expect(verdict('recall', { value: 1, least: 0.99 })).toBe('met  recall: 1 (target: at least 0.99)');
  });
});

describe('the sizes of a benchmark', () => {
  it('are numbers between commas, in order, each once', () => {
    expect(sizesOf('10000, 1000,10000')).toEqual([1000, 10_000]);
  });

  it('are refused where one is no whole number', () => {
    for (const text of ['', '0', '1e3', '1000,', '-5', 'many']) expect(() => sizesOf(text)).toThrow(UsageError);
  });

  it('and the kind of index, and options, are what they may be', () => {
    expect(indexKind('hnsw')).toBe('hnsw');
    expect(() => indexKind('flat')).toThrow(new UsageError('--index must be auto, exact or hnsw; it is flat.'));
    expect(optionsOf(['--sizes', '5'], { sizes: { type: 'string', default: '1' } })).toEqual({ sizes: '5' });
    expect(() => optionsOf(['--size', '5'], { sizes: { type: 'string' } })).toThrow(
      new UsageError("Unknown option '--size': --help tells the options."),
    );
  });
});
