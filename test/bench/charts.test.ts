import { describe, expect, it } from 'vitest';
import { barChart } from '../../bench/support/charts/bars.js';
import { curveChart } from '../../bench/support/charts/curves.js';
import { differenceChart } from '../../bench/support/charts/differences.js';

/** The words of a chart, in the order of the SVG. */
function wordsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g), ([, words = '']) => words);
}

describe('a bar chart', () => {
  const chart = () =>
    barChart({
      title: 'R&D <first>',
      yTitle: 'mean RR@10',
      series: [
        { name: 'hybrid', colour: '#111111' },
        { name: 'dense', colour: '#222222' },
      ],
      groups: [
        { name: 'question (3)', values: [{ mean: 0.5, low: 0.25, high: 0.75 }, undefined] },
        {
          name: 'all (4)',
          values: [
            { mean: 0.6, low: 0.5, high: 0.7 },
            { mean: 1, low: 1, high: 1 },
          ],
        },
      ],
    });

  it('labels its axes, series, groups and means, and leaves a gap for a missing value', async () => {
    const words = wordsOf(await chart());
    expect(words).toEqual(expect.arrayContaining(['mean RR@10', 'hybrid', 'dense', 'question (3)', 'all (4)']));
    expect(words.filter((word) => /^[01]\.\d\d$/.test(word))).toEqual(['0.50', '0.60', '1.00']);
  });

  it('escapes its text and is the same each time', async () => {
    expect(await chart()).toContain('>R&amp;D &lt;first&gt;<');
    expect(await chart()).toBe(await chart());
  });
});

describe('a difference chart', () => {
  it('fills a dot only if its interval excludes 0', async () => {
    const svg = await differenceChart({
      title: 'ablations',
      xTitle: 'difference',
      rows: [
        { name: 'better', colour: '#111111', value: { mean: 0.1, low: 0.05, high: 0.15 } },
        { name: 'uncertain', colour: '#222222', value: { mean: -0.1, low: -0.25, high: 0.05 } },
      ],
    });
    expect(wordsOf(svg)).toEqual(expect.arrayContaining(['difference', 'better', 'uncertain', '0']));
    expect(svg).toMatch(/fill="#111111" stroke="#111111"/);
    expect(svg).toMatch(/fill="white" stroke="#222222"/);
  });
});

describe('a curve chart', () => {
  const chart = (scale: 'log' | 'linear', ...curves: (readonly [name: string, ...ys: number[]])[]) =>
    curveChart({
      title: 'curves',
      xTitle: 'passages',
      yTitle: 'ms',
      scale,
      curves: curves.map(([name, ...ys]) => ({
        name,
        colour: '#111111',
        points: ys.map((y, i) => ({ x: 1000 * 10 ** i, y })),
      })),
    });

  it('has a tick for each x, and powers of ten for y', async () => {
    const words = wordsOf(await chart('log', ['vectors', 0.2, 5, 40]));
    expect(words).toEqual(expect.arrayContaining(['1,000', '10,000', '100,000', '0.1', '1', '10', '100', 'vectors']));
  });

  it('keeps the names of curves with the same end apart', async () => {
    const svg = await chart('log', ['a', 1, 50], ['b', 1, 50]);
    const [a, b] = ['a', 'b'].map((name) =>
      Number(new RegExp(`translate\\([\\d.]+,([\\d.]+)\\)"[^>]*>${name}</text>`).exec(svg)?.[1]),
    );
    expect(Math.abs((a ?? 0) - (b ?? 0))).toBeGreaterThanOrEqual(15);
  });

  it('leaves out points that have no logarithm, and curves without points', async () => {
    const words = wordsOf(await chart('log', ['zero', 0, 0], ['one', 0, 1]));
    expect(words).toContain('one');
    expect(words).not.toContain('zero');
    expect(words).not.toContain('1,000');
  });

  it('begins at 0 on linear axes', async () => {
    expect(wordsOf(await chart('linear', ['resident', 200, 300]))).toEqual(expect.arrayContaining(['0', '100', '300']));
  });
});
