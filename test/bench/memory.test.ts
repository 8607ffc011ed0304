import { describe, expect, it } from 'vitest';
import { peakLine, slopeLine } from '../../bench/memory/report.js';
import { slopeOfMemory } from '../../bench/memory/steadiness.js';
import { cpuSecondsIn, endedCpuSecondsIn, memoryIn } from '../../bench/support/processes/proc.js';

it('the slope of memory is in MiB per hour, without the first quarter', () => {
  const rss = [0, 900, 100, 101, 102, 103, 104, 105, 106].map((megabytes) => megabytes * 2 ** 20);
  const { slope, error } = slopeOfMemory(rss.map((bytes, minute) => ({ at: 60 * minute, rss: bytes }))) ?? {};
  expect(slope).toBeCloseTo(60, 9);
  expect(error).toBeCloseTo(0, 9);
});

describe('the report of memory', () => {
  const peak = { passages: 50_000, main: 200, parsing: [60, 60], embedding: [], together: 320 };

  it('judges the peak of all processes together', () => {
    expect(peakLine({ ...peak, embedding: [180, 181], together: 680 })).toBe(
      'met  memory of indexing 50000 passages (all processes together): 680 MiB (target: at most 700)',
    );
  });

  it('adds the peaks of processes that were measured apart', () => {
    expect(peakLine(peak, { passages: 2000, embedding: [190, 191] })).toBe(
      'MISSED  memory of indexing 50000 passages (sum of peaks, embedding over 2000): 701 MiB (target: at most 700)',
    );
  });

  it('reports growth above two standard errors', () => {
    expect(slopeLine({ slope: 2.1, error: 1 })).toBe(
      'Resident memory grows: 2.10 ± 1.00 MiB per hour (least squares, standard error).',
    );
    expect(slopeLine({ slope: 2, error: 1 })).toBe(
      'Resident memory does not grow: 2.00 ± 1.00 MiB per hour (least squares, standard error).',
    );
    expect(slopeLine(undefined)).toBe('The run was too short to measure growth.');
  });
});

describe('/proc', () => {
  it('has the resident memory of a process in MiB', () => {
    expect(memoryIn('Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n')).toEqual({ now: 100, peak: 200 });
    expect(memoryIn('Name:\tnode\nState:\tZ (zombie)\n')).toBeUndefined();
  });

  it('has the CPU seconds of a process, whatever its name', () => {
    const stat = '42 (a ) b) S 1 42 42 0 -1 4194560 3050 43213 0 41 250 50 20 10 20 0 1 0';
    expect(cpuSecondsIn(stat)).toBe(3);
    expect(endedCpuSecondsIn(stat)).toBe(0.3);
  });
});
