import { describe, expect, it } from 'vitest';
import type { OpenTimes } from '../../bench/open/first-answer.js';
import { mediansOf, type OpenResult } from '../../bench/open/measure.js';
import { growthOf, openReport, openTargets } from '../../bench/open/report.js';

const times = (open: number): OpenTimes => ({
  load: 200,
  open,
  firstSearch: 500,
  firstAnswer: open + 500,
  secondSearch: 10,
  rss: 100,
  index: 'hnsw',
});

const result = (passages: number, open: number): OpenResult => ({ passages, ...times(open), rounds: [times(open)] });

describe('the times of opening', () => {
  it('are medians over the processes, figure by figure', () => {
    expect(mediansOf([times(100), times(900), times(200)])).toEqual(times(200));
  });

  it('are reported with their growth', () => {
    const results = [result(10_000, 100), result(100_000, 1000)];
    expect(openReport(results)).toMatch(/^median over processes +10,000 \(hnsw\) +100,000 \(hnsw\) +grows as$/m);
    expect(openReport(results)).toMatch(/^openEngine, ms +100 +1,000 +n\^1\.00$/m);
    expect(growthOf(results).firstSearch).toBeCloseTo(0, 12);
    expect(growthOf([result(10_000, 100)])).toEqual({});
  });

  it('are judged for the sizes that have a target', () => {
    expect(openTargets([result(10_000, 1), result(100_000, 1000), result(1_000_000, 7501)])).toEqual([
      'met  openEngine to first answer at 100,000 passages, hnsw: 1,500 ms (target: at most 1,500)',
      'MISSED  openEngine to first answer at 1,000,000 passages, hnsw: 8,001 ms (target: at most 8,000)',
    ]);
  });
});
