import { describe, expect, it } from 'vitest';
import type { OpenReply } from '../../bench/open/first-answer.js';
import { medianOf, type OpenResult } from '../../bench/open/open.js';
import { growthOf, openChart, openReport, openVerdicts } from '../../bench/open/report.js';

const reply = (open: number): OpenReply => ({
  load: 200,
  open,
  firstSearch: 500,
  firstAnswer: open + 500,
  secondSearch: 10,
  rss: 100,
  index: 'hnsw',
});

const result = (passages: number, open: number): OpenResult => ({ passages, ...reply(open), rounds: [reply(open)] });

describe('opening', () => {
  it('is the median over processes, figure by figure', () => {
    expect(medianOf([reply(100), reply(900), reply(200)])).toEqual(reply(200));
  });

  it('is told by part, with how it grows', () => {
    const results = [result(10_000, 100), result(100_000, 1000)];
    expect(openReport(results)).toMatch(/^median over processes +10,000 \(hnsw\) +100,000 \(hnsw\) +grows as$/m);
    expect(openReport(results)).toMatch(/^openEngine, ms +100 +1,000 +n\^1\.00$/m);
    expect(growthOf(results).firstSearch).toBeCloseTo(0, 12);
    expect(growthOf([result(10_000, 100)])).toEqual({});
  });

  it('is judged where its size has a target', () => {
    expect(openVerdicts([result(10_000, 1), result(100_000, 1000), result(1_000_000, 7501)])).toEqual([
      'met  openEngine to first answer at 100,000 passages, hnsw: 1,500 ms (target: at most 1,500)',
      'MISSED  openEngine to first answer at 1,000,000 passages, hnsw: 8,001 ms (target: at most 8,000)',
    ]);
  });

  it('is drawn as lines over the sizes', () => {
    const svg = openChart([result(10_000, 100), result(100_000, 1000)]);
    expect(svg.match(/<polyline /g)).toHaveLength(5);
    expect(svg).toContain('>openEngine to first answer<');
  });
});
