import { describe, expect, it } from 'vitest';
import { memoryChart } from '../../bench/memory/chart.js';
import { memoryCommand } from '../../bench/memory/command.js';
import { cpuSecondsIn, memoryIn } from '../../bench/memory/proc.js';
import { growthVerdict, peakVerdict } from '../../bench/memory/report.js';
import { slopeOf, thinned } from '../../bench/memory/slope.js';
import { growthOf } from '../../bench/memory/steadiness.js';
import { UsageError } from '../../bench/usage-error.js';

const points = (...ys: number[]) => ys.map((y, x) => ({ x, y }));

describe('the slope of points', () => {
  it('on a line is that of the line, without an error', () => {
    expect(slopeOf(points(1, 3, 5, 7))).toEqual({ slope: 2, error: 0 });
  });

  it('beside a line has the standard error of least squares', () => {
    // Around y = 0.8x + 0.8 the squares of the residuals sum up to 0.8; x has those of 5 around its mean.
    const { slope, error } = slopeOf(points(1, 1, 3, 3)) ?? {};
    expect(slope).toBeCloseTo(0.8, 12);
    expect(error).toBeCloseTo(Math.sqrt(0.8 / 2 / 5), 12);
  });

  it('is not known of fewer than three, or of one x', () => {
    expect(slopeOf(points(1, 2))).toBeUndefined();
    expect(slopeOf([1, 2, 3].map((y) => ({ x: 0, y })))).toBeUndefined();
  });
});

it('points are thinned to means of neighbours', () => {
  expect(thinned(points(0, 2, 4, 6, 9), { to: 3 })).toEqual([
    { x: 0.5, y: 1 },
    { x: 2.5, y: 5 },
    { x: 4, y: 9 },
  ]);
  expect(thinned(points(0, 2), { to: 3 })).toEqual(points(0, 2));
});

it('growth is in MB an hour, without the first quarter', () => {
  const rss = [0, 900, 100, 101, 102, 103, 104, 105, 106].map((megabytes) => megabytes * 2 ** 20);
  const { slope, error } = growthOf(rss.map((bytes, minute) => ({ at: 60 * minute, rss: bytes }))) ?? {};
  expect(slope).toBeCloseTo(60, 9);
  expect(error).toBeCloseTo(0, 9);
});

describe('verdicts', () => {
  const peak = { passages: 50_000, main: 320, embedding: [], together: 320 };

  it('the peak is what all processes have at one time', () => {
    expect(peakVerdict({ ...peak, embedding: [180, 181], together: 680 })).toBe(
      'Indexing 50000 passages takes 680 MB at one time (main process 320, embedding processes 361); the target of 700 MB is reached.',
    );
  });

  it('peaks of processes that were seen apart are added', () => {
    expect(peakVerdict(peak, { passages: 2000, embedding: [190, 191] })).toBe(
      'Indexing 50000 passages takes 701 MB at most (main process 320, embedding processes 381, seen over 2000 passages); the target of 700 MB is missed.',
    );
  });

  it('growth is what is above two standard errors', () => {
    expect(growthVerdict({ slope: 2.1, error: 1 })).toBe(
      'Resident memory grows by 2.10 ± 1.00 MB an hour (least squares, standard error).',
    );
    expect(growthVerdict({ slope: 2, error: 1 })).toBe(
      'No growth of resident memory is seen: 2.00 ± 1.00 MB an hour (least squares, standard error).',
    );
    expect(growthVerdict(undefined)).toBe('Growth is not known: the run was too short.');
  });
});

describe('what /proc tells', () => {
  it('is resident memory in MB', () => {
    expect(memoryIn('Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n')).toEqual({ now: 100, peak: 200 });
    expect(memoryIn('Name:\tnode\nState:\tZ (zombie)\n')).toBeUndefined();
  });

  it('is CPU time of a process, whatever its name', () => {
    const stat = '42 (a ) b) S 1 42 42 0 -1 4194560 3050 43213 0 41 250 50 30 10 20 0 1 0';
    expect(cpuSecondsIn(stat)).toBe(3);
  });
});

it('the chart draws memory from 0 over minutes', () => {
  const sample = { external: 0, databaseBytes: 0, passages: 0, operations: 0 };
  const chart = memoryChart([
    { ...sample, at: 0, rss: 100 * 2 ** 20, heap: 0 },
    { ...sample, at: 600, rss: 200 * 2 ** 20, heap: 100 * 2 ** 20 },
  ]);
  expect(chart).toContain('points="64.0,182.0 704.0,52.0"');
  expect(chart).toContain('points="64.0,312.0 704.0,182.0"');
});

describe('arguments that are wrong are told in one sentence', () => {
  it.each([
    ['passages', ['--passages', '1.5'], '--passages must be a whole number from 1; it is 1.5.'],
    ['minutes', ['--minutes', '-1'], "Option '--minutes' argument is ambiguous."],
    ['minutes 0', ['--minutes', '0'], '--minutes must be a number above 0; it is 0.'],
    ['model', ['--model', 'x'], '--model must be hash or bundled; it is x.'],
  ])('%s', async (_, args, message) => {
    const told = memoryCommand(args);
    await expect(told).rejects.toThrow(UsageError);
    await expect(told).rejects.toThrow(message);
  });
});
