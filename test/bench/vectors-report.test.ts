import { describe, expect, it } from 'vitest';
import { growthOf } from '../../bench/vectors/growth.js';
import type { SideResult } from '../../bench/vectors/measure.js';
import { report } from '../../bench/vectors/report.js';
import { verdictLines, verdictsOf } from '../../bench/vectors/verdict.js';

type Given = Partial<SideResult> & { readonly p50: number; readonly recall?: number };

function result({ p50, recall = 1, ...given }: Given): SideResult {
  return {
    side: 'exact',
    size: 1000,
    whose: 'ours',
    setting: 'as shipped',
    queries: 20,
    buildSeconds: 2,
    loadSeconds: 1,
    memoryMiB: 15,
    searches: [{ share: 1, p50, p95: 2 * p50, recall }],
    ...given,
  };
}

const peer = { side: 'usearch', whose: 'peer' } as const;

describe('a verdict', () => {
  it('is a peer against the fastest of ours', () => {
    const verdicts = verdictsOf([result({ p50: 4 }), result({ side: 'hnsw', p50: 1 }), result({ ...peer, p50: 2 })]);
    expect(verdicts).toEqual([{ size: 1000, share: 1, peer: 'usearch', ours: 'hnsw', ratio: 2 }]);
    expect(verdictLines(verdicts)).toEqual([
      '1000 vectors: usearch takes 2.00 times as long as hnsw.',
      'slower than: none of them',
    ]);
  });

  it('passes over who finds less than .99', () => {
    const exact = result({ p50: 4 });
    expect(verdictsOf([exact, result({ ...peer, p50: 1, recall: 0.98 })])).toEqual([]);
    const [verdict] = verdictsOf([exact, result({ side: 'hnsw', p50: 1, recall: 0.98 }), result({ ...peer, p50: 2 })]);
    expect(verdict).toMatchObject({ ours: 'exact', ratio: 0.5 });
  });

  it('that a peer is faster is told, with a filter too', () => {
    const filtered = (p50: number) => [{ share: 0.01, p50, p95: p50, recall: 1 }];
    const verdicts = verdictsOf([
      result({ p50: 0, searches: filtered(3) }),
      result({ ...peer, p50: 0, searches: filtered(2) }),
    ]);
    expect(verdictLines(verdicts)).toEqual([
      'slower than: usearch (1000 vectors, filter 1 %: exact takes 1.50 times as long)',
    ]);
  });
});

describe('growth', () => {
  it('is the exponent of build and search time', () => {
    const results = [result({ p50: 1, buildSeconds: 1 }), result({ size: 2000, p50: 2, buildSeconds: 4 })];
    const [growth] = growthOf(results);
    expect(growth?.side).toBe('exact');
    expect(growth?.search).toBeCloseTo(1, 10);
    expect(growth?.build).toBeCloseTo(2, 10);
  });

  it('of a single size is not known', () => {
    expect(growthOf([result({ p50: 1 })])).toEqual([{ side: 'exact', build: undefined, search: undefined }]);
  });
});

it('a report has a dash for what a side cannot do, and its notes', () => {
  const { loadSeconds: _, ...unstored } = result({ ...peer, p50: 0.5 });
  const results = [result({ p50: 0.25 }), unstored];
  const notes = [{ side: 'usearch', size: 1000, note: 'cannot be stored' }];
  const text = report({
    embedded: 10,
    dimensions: 384,
    rounds: 3,
    results,
    notes,
    growth: growthOf(results),
    verdicts: verdictsOf(results),
  });
  expect(text).toBe(`Searches for ten among copies of 10 embeddings, milliseconds; recall against exact:

side     setting     vectors  queries  build s  load s  memory MiB   p50   p95  recall@10
exact    as shipped     1000       20     2.00    1.00          15  0.25  0.50      1.000
usearch  as shipped     1000       20     2.00       —          15  0.50  1.00      1.000

Median milliseconds and recall with filters that pass a share of the vectors:

side     vectors  50 %  recall  10 %  recall  1 %  recall  0.1 %  recall
exact       1000     —       —     —       —    —       —      —       —
usearch     1000     —       —     —       —    —       —      —       —

usearch, 1000 vectors: cannot be stored
1000 vectors: usearch takes 2.00 times as long as exact.
slower than: none of them
`);
});
