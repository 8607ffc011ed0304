import { describe, expect, it } from 'vitest';
import type { Latencies } from '../../bench/http/latencies.js';
import { freshQueries } from '../../bench/query/fresh-queries.js';
import type { QueryResult } from '../../bench/query/query.js';
import { growthOf, queryChart, queryReport, queryVerdicts } from '../../bench/query/report.js';
import { timesOf } from '../../bench/query/search-clock.js';

const all = (milliseconds: number): Latencies => ({
  calls: 1,
  p50: milliseconds,
  p95: 2 * milliseconds,
  p99: 2 * milliseconds,
  max: 2 * milliseconds,
});

/** Embedding takes 10 ms, vectors 1 ms a 10,000 passages, the rest nothing to speak of. */
const result = (passages: number): QueryResult => {
  const vectors = passages / 10_000;
  return {
    passages,
    index: 'exact',
    parts: {
      embed: all(10),
      vectors: all(vectors),
      postings: all(0.5),
      shapes: all(0.1),
      read: all(0.2),
      rest: all(0.1),
      busy: all(vectors + 0.9),
      whole: all(vectors + 10.9),
    },
    repeated: all(vectors + 1),
    alone: all(10),
    added: all(vectors + 0.9),
  };
};

describe('the time of a search', () => {
  it('is told by stage, with what no stage has', () => {
    const times = timesOf(
      [
        { stage: 'embed', span: [1, 9] },
        { stage: 'vectors', span: [9, 12] },
        { stage: 'postings', span: [12, 13] },
        { stage: 'vectors', span: [13, 14] },
      ],
      20,
    );
    expect(times).toEqual({
      embed: 8,
      vectors: 4,
      postings: 1,
      shapes: 0,
      read: 0,
      rest: 7,
      busy: 12,
      whole: 20,
    });
  });

  it('counts once what calls side by side share', () => {
    const times = timesOf(
      [
        { stage: 'read', span: [2, 6] },
        { stage: 'read', span: [0, 5] },
        { stage: 'read', span: [3, 4] },
        { stage: 'read', span: [8, 9] },
      ],
      10,
    );
    expect(times.read).toBe(7);
    expect(times.rest).toBe(3);
  });
});

describe('the time of a search but for its embedding', () => {
  it('is what is done, meanwhile too', () => {
    const times = timesOf(
      [
        { stage: 'postings', span: [1, 4] },
        { stage: 'embed', span: [0, 9] },
        { stage: 'vectors', span: [9, 12] },
      ],
      14,
    );
    expect(times).toMatchObject({ embed: 9, postings: 3, vectors: 3, rest: 2, busy: 8, whole: 14 });
  });
});

describe('fresh queries', () => {
  it('are the questions, then again with a word appended, all different', () => {
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

  it('has a line for each part, with how it grows', () => {
    const report = queryReport(results);
    expect(report).toMatch(/^searchFiles, ms +1,000: p50 +p95 +10,000: p50 +p95 +100,000: p50 +p95 +grows as$/m);
    expect(report).toMatch(/^vectors +0\.10 +0\.20 +1\.00 +2\.00 +10\.00 +20\.00 +n\^1\.00$/m);
    expect(report).toMatch(/^embedding .* n\^0\.00$/m);
    expect(growthOf(results).vectors?.p50).toBeCloseTo(1, 12);
  });

  it('judges the size that has targets', () => {
    expect(queryVerdicts(results)).toEqual([
      'MISSED  added to the embedding, p95 at 100,000 passages, exact: 21.8 ms (target: at most 10)',
      'MISSED  busy, postings beside the embedding included, p95 at 100,000 passages, exact: 21.8 ms (target: at most 10)',
      'MISSED  the whole, p95 at 100,000 passages, exact: 41.8 ms (target: at most 40)',
    ]);
    expect(queryVerdicts([result(100_001)])).toHaveLength(3);
    expect(queryVerdicts([result(1000)])).toEqual([]);
    expect(queryReport([result(1000)])).toContain('there is no verdict');
  });

  it('is drawn as lines over the sizes', () => {
    const svg = queryChart(results);
    expect(svg.match(/<polyline /g)).toHaveLength(7);
    expect(svg).toContain('>whole, p95<');
  });
});
