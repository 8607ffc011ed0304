import { describe, expect, it } from 'vitest';
import { targetLine } from '../../bench/support/report/target.js';
import { exponentOf } from '../../bench/support/statistics/exponent.js';
import { gaussian, perturbed, seededRandom } from '../../bench/support/statistics/random.js';
import { slopeOf, thinned } from '../../bench/support/statistics/slope.js';

const points = (...ys: number[]) => ys.map((y, x) => ({ x, y }));
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);

describe('the exponent of growth', () => {
  it('is that of a power law', () => {
    const law = (exponent: number) => [10, 20, 70].map((x) => ({ x, y: 3 * x ** exponent }));
    for (const exponent of [0, 1, 1.5, -2]) expect(exponentOf(law(exponent))).toBeCloseTo(exponent, 12);
  });

  it('is the least-squares slope in logarithms otherwise', () => {
    const scattered = [
      { x: 1, y: 1 },
      { x: 10, y: 100 },
      { x: 100, y: 100 },
    ];
    expect(exponentOf(scattered)).toBeCloseTo(1, 12);
  });

  it('is undefined for a single x', () => {
    expect(exponentOf([])).toBeUndefined();
    expect(exponentOf([{ x: 5, y: 1 }])).toBeUndefined();
    expect(exponentOf([5, 5].map((x, y) => ({ x, y: y + 1 })))).toBeUndefined();
  });

  it.each([0, -1, Number.NaN])('is undefined if a coordinate is %d', (value) => {
    const [first, second] = [
      { x: 1, y: 1 },
      { x: 2, y: 2 },
    ];
    expect(exponentOf([first, second, { x: 3, y: value }])).toBeUndefined();
    expect(exponentOf([first, second, { x: value, y: 3 }])).toBeUndefined();
  });
});

describe('the slope of points', () => {
  it('on a line has no error', () => {
    expect(slopeOf(points(1, 3, 5, 7))).toEqual({ slope: 2, error: 0 });
  });

  it('off a line has the standard error of least squares', () => {
    // Around y = 0.8x + 0.8 the squared residuals sum to 0.8; the squared deviations of x sum to 5.
    const { slope, error } = slopeOf(points(1, 1, 3, 3)) ?? {};
    expect(slope).toBeCloseTo(0.8, 12);
    expect(error).toBeCloseTo(Math.sqrt(0.8 / 2 / 5), 12);
  });

  it('is undefined for fewer than three points, or a single x', () => {
    expect(slopeOf(points(1, 2))).toBeUndefined();
    expect(slopeOf([1, 2, 3].map((y) => ({ x: 0, y })))).toBeUndefined();
  });
});

it('thinned points are means of consecutive points', () => {
  expect(thinned(points(0, 2, 4, 6, 9), { to: 3 })).toEqual([
    { x: 0.5, y: 1 },
    { x: 2.5, y: 5 },
    { x: 4, y: 9 },
  ]);
  expect(thinned(points(0, 2), { to: 3 })).toEqual(points(0, 2));
});

it('a target line says whether a figure is within its bound', () => {
  expect(targetLine('first answer', { value: 1234.5, most: 1500, unit: 'ms' })).toBe(
    'met  first answer: 1,235 ms (target: at most 1,500)',
  );
  expect(targetLine('first answer', { value: 1500.6, most: 1500, unit: 'ms' })).toMatch(/^MISSED /);
  expect(targetLine('recall', { value: 0.5, least: 0.99 })).toBe('MISSED  recall: 0.5 (target: at least 0.99)');
  expect(targetLine('recall', { value: 1, least: 0.99 })).toBe('met  recall: 1 (target: at least 0.99)');
});

describe('random numbers', () => {
  it('are reproducible from their seed', () => {
    const first = (seed: string) => {
      const random = seededRandom(seed);
      return [random(), random(), random()].map((number) => Number(number.toFixed(6)));
    };
    expect(first('a')).toEqual([0.168378, 0.396305, 0.470471]);
    expect(first('b')).not.toEqual(first('a'));
  });

  it('of the normal distribution have its mean and deviation', () => {
    const random = seededRandom('moments');
    const normal = Array.from({ length: 20_000 }, () => gaussian(random));
    const mean = normal.reduce((sum, number) => sum + number, 0) / normal.length;
    const variance = normal.reduce((sum, number) => sum + (number - mean) ** 2, 0) / normal.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  });
});

describe('a perturbed vector', () => {
  const axis = new Float32Array(384).fill(1, 0, 1);
  const noisy = (seed: string) => perturbed(axis, seededRandom(seed));

  it('has length 1 and a cosine of about 0.9 with its origin', () => {
    for (const seed of ['a', 'b', 'c']) {
      expect(dot(noisy(seed), noisy(seed))).toBeCloseTo(1, 5);
      expect(Math.abs(dot(noisy(seed), axis) - 0.9)).toBeLessThan(0.03);
    }
  });

  it('is reproducible from its seed', () => {
    expect(noisy('a')).toEqual(noisy('a'));
    expect(noisy('a')).not.toEqual(noisy('b'));
  });
});
