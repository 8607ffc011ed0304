import { expect, test } from 'vitest';
import { Allowance } from '#src/indexing/parsing/allowance.js';

/** How a job that may take so many milliseconds ends, by what its process has used at each tick. */
function endOf(milliseconds: number, used: readonly (number | undefined)[]): string {
  const allowance = new Allowance(milliseconds);
  for (const [i, at] of used.entries()) {
    const over = allowance.tick(at);
    if (over) return `${over} at tick ${i}`;
  }
  return 'goes on';
}

const repeated = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);

test.each<[what: string, milliseconds: number, used: readonly (number | undefined)[], end: string]>([
  ['a job may take its time', 1000, [5000, 5400, 5990], 'goes on'],
  ['a job that has used its time ends', 1000, [5000, 5400, 6000], 'time at tick 2'],
  ['what the process used for earlier jobs does not count', 1000, [90_000, 90_100], 'goes on'],
  ['a machine that is paused or busy costs a job nothing', 1000, [0, ...repeated(10, 590), 20, 30], 'goes on'],
  ['a process that uses nothing for a minute is given up', 1000, repeated(700, 700), 'stalled at tick 599'],
  [
    'where the time of a process is not known, each tick counts as one',
    1000,
    repeated(undefined, 10),
    'time at tick 9',
  ],
  ['a time that is not known once is counted as a tick', 1000, [0, 100, undefined, 300, 400], 'goes on'],
])('%s', (_, milliseconds, used, end) => {
  expect(endOf(milliseconds, used)).toBe(end);
});
