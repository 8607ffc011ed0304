import { describe, expect, it } from 'vitest';
import { curveChart } from '../../bench/chart/curves.js';
import { logTicks } from '../../bench/chart/log-ticks.js';
import { spread } from '../../bench/chart/spread.js';

describe('curves', () => {
  const axes = { xAxis: 'passages', yAxis: 'milliseconds' };

  it('are lines through their points on logarithmic axes, with a dot at each', () => {
    const points = [
      { x: 100_000, y: 10 },
      { x: 1000, y: 0.1 },
      { x: 10_000, y: 1 },
    ];
    const svg = curveChart({ title: 't', ...axes, lines: [{ name: 'vectors', colour: '#111111', points }] });
    // 460 pixels are 1,000 to 100,000, from 84 on; 300 are 0.1 to 10, from 352 up.
    expect(svg).toContain('<polyline points="84.0,352.0 314.0,202.0 544.0,52.0" fill="none" stroke="#111111"');
    expect(svg.match(/<circle /g)).toHaveLength(3);
    expect(svg).toContain('>passages<');
    expect(svg).toContain('>milliseconds<');
    expect(svg).toMatch(/>100,000</);
  });

  it('are named at their right ends, apart from each other', () => {
    const line = (name: string, y: number) => ({
      name,
      colour: '#111111',
      points: [
        { x: 1, y: 1 },
        { x: 100, y },
      ],
    });
    const svg = curveChart({ title: 't', ...axes, lines: [line('a', 50), line('b', 50), line('c', 51)] });
    const places = ['a', 'b', 'c'].map((name) =>
      Number(new RegExp(`y="([\\d.]+)"[^>]*>${name}</text>`).exec(svg)?.[1]),
    );
    const [first = 0, second = 0, third = 0] = places.sort((a, b) => a - b);
    expect(second - first).toBeGreaterThanOrEqual(14.99);
    expect(third - second).toBeGreaterThanOrEqual(14.99);
  });

  it('leave out what has no logarithm, and a line without points', () => {
    const lines = [
      { name: 'zero', colour: '#111111', points: [{ x: 1, y: 0 }] },
      {
        name: 'one',
        colour: '#222222',
        points: [
          { x: 0, y: 1 },
          { x: 1, y: 1 },
        ],
      },
    ];
    const svg = curveChart({ title: 't', ...axes, lines });
    expect(svg).not.toContain('zero');
    expect(svg.match(/<circle /g)).toHaveLength(1);
    expect(curveChart({ title: 'none', ...axes, lines: [] })).toContain('>none<');
  });
});

describe('ticks of a logarithmic axis', () => {
  it('are powers of ten around the values', () => {
    expect(logTicks([1000, 100_001])).toEqual([1000, 10_000, 100_000, 1_000_000]);
    expect(logTicks([0.02, 40])).toEqual([0.01, 0.1, 1, 10, 100]);
  });

  it('have 2 and 5 between them where the range is short', () => {
    expect(logTicks([3, 40])).toEqual([2, 5, 10, 20, 50]);
    expect(logTicks([0.3, 0.4])).toEqual([0.2, 0.5]);
  });

  it('give a single value room', () => {
    expect(logTicks([1000])).toEqual([500, 1000, 2000]);
    expect(logTicks([3])).toEqual([2, 5]);
    expect(logTicks([])).toEqual([1, 2, 5, 10]);
  });
});

describe('names beside a chart', () => {
  it('stay where they have room', () => {
    expect(spread([50, 10], { apart: 15, from: 0, to: 100 })).toEqual([50, 10]);
  });

  it('are moved apart in their order, and stay inside', () => {
    expect(spread([10, 10, 12], { apart: 15, from: 0, to: 100 })).toEqual([10, 25, 40]);
    expect(spread([99, 98], { apart: 15, from: 0, to: 100 })).toEqual([100, 85]);
  });
});
