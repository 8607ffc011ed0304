import { describe, expect, it } from 'vitest';
import { freshQueries } from '../../bench/query/fresh-queries.js';
import type { QueryResult } from '../../bench/query/measure.js';
import { growthOf, queryReport, queryTargets } from '../../bench/query/report.js';
import { type Span, timesOf } from '../../bench/query/search-clock.js';
import type { Latencies } from '../../bench/support/statistics/latencies.js';

const all = (milliseconds: number): Latencies => ({
  calls: 1,
  p50: milliseconds,
  p95: 2 * milliseconds,
  p99: 2 * milliseconds,
  max: 2 * milliseconds,
});

/** Embedding takes 10 ms, and vectors 1 ms per 10,000 passages. */
const result = (passages: number): QueryResult => {
  const vectors = passages / 10_000;
  return {
    passages,
    index: 'exact',
    parts: {
      embed: all(10),
      vectors: all(vectors),
      postings: all(0.5),
      read: all(0.3),
      rest: all(0.1),
      busy: all(vectors + 0.9),
      whole: all(vectors + 10.9),
    },
    repeated: all(vectors + 1),
    alone: all(10),
    added: all(vectors + 0.9),
  };
};

describe('the times of a search', () => {
  const span = (stage: string, start: number, end: number): Span => ({ stage, start, end });

  it('are those of its stages in their order, and the rest', () => {
    const spans = [span('vectors', 9, 12), span('embed', 1, 9), span('read', 12, 13), span('vectors', 13, 14)];
    expect(Object.entries(timesOf(spans, 20))).toEqual([
      ['embed', 8],
      ['vectors', 4],
      ['read', 1],
      ['rest', 7],
      ['busy', 12],
      ['whole', 20],
    ]);
  });

  it('count time shared by overlapping calls once', () => {
    const spans = [span('read', 2, 6), span('read', 0, 5), span('read', 3, 4), span('read', 8, 9)];
    expect(timesOf(spans, 10)).toEqual({ read: 7, rest: 3, busy: 10, whole: 10 });
  });

  it('count stages that run during the embedding as busy', () => {
    const spans = [span('postings', 1, 4), span('embed', 0, 9), span('vectors', 9, 12)];
    expect(timesOf(spans, 14)).toMatchObject({ embed: 9, postings: 3, vectors: 3, rest: 2, busy: 8, whole: 14 });
  });
});

describe('fresh queries', () => {
  it('are the questions, then the questions with a word appended', () => {
    const queryOf = freshQueries(['How do I rotate keys?', 'Where is it?']);
    expect([0, 1, 2, 3, 4].map(queryOf)).toEqual([
      'How do I rotate keys?',
      'Where is it?',
      'How do I rotate keys? rotate',
      'Where is it? rotate',
      'How do I rotate keys? keys',
    ]);
    expect(() => queryOf(8)).toThrow(RangeError);
  });
});

describe('the report of searches', () => {
  const results = [result(1000), result(10_000), result(100_000)];

  it('has a row per stage and derived part, with its growth', () => {
    const report = queryReport(results);
    expect(report).toMatch(/^searchFiles, ms +1,000: p50 +p95 +10,000: p50 +p95 +100,000: p50 +p95 +grows as$/m);
    expect(report).toMatch(/^vectors +0\.10 +0\.20 +1\.00 +2\.00 +10\.00 +20\.00 +n\^1\.00$/m);
    expect(report).toMatch(/^embed .* n\^0\.00$/m);
    expect(report).toMatch(/^whole, repeated /m);
    expect(growthOf(results).vectors?.p50).toBeCloseTo(1, 12);
  });

  it('judges the size that has targets', () => {
    expect(queryTargets(results)).toEqual([
      'MISSED  added to embedding, p95 at 100,000 passages, exact: 21.8 ms (target: at most 10)',
      'MISSED  busy, p95 at 100,000 passages, exact: 21.8 ms (target: at most 10)',
      'MISSED  whole, p95 at 100,000 passages, exact: 41.8 ms (target: at most 40)',
    ]);
    expect(queryTargets([result(100_001)])).toHaveLength(3);
    expect(queryTargets([result(1000)])).toEqual([]);
    expect(queryReport([result(1000)])).toContain('There is no target for these sizes.');
  });
});
