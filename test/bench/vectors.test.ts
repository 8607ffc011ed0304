import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { belowOf, bucketOf, idsBelow } from '../../bench/vectors/buckets.js';
import { comparisonLines, comparisonsOf } from '../../bench/vectors/comparison.js';
import { float, int8 } from '../../bench/vectors/contenders/exact.js';
import { hnsw } from '../../bench/vectors/contenders/hnsw.js';
import { growthOf } from '../../bench/vectors/growth.js';
import type { ContenderResult } from '../../bench/vectors/measure-size.js';
import { perturbedCopies, queriesNear } from '../../bench/vectors/perturbed-copies.js';
import { vectorsReport } from '../../bench/vectors/report.js';
import { readVectors, writeVectors } from '../../bench/vectors/vector-file.js';

const DIMENSIONS = 384;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-vectors-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function axis(n: number): Float32Array {
  return new Float32Array(DIMENSIONS).fill(1, n, n + 1);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
}

describe('perturbed copies', () => {
  const base = [axis(0), axis(1)];

  it('begin with the base, then repeat it with noise', () => {
    const [first, second, third, fourth] = perturbedCopies(base, { count: 4, seed: 'a' });
    expect([first, second]).toEqual(base);
    expect(dot(third ?? axis(2), axis(0))).toBeGreaterThan(0.85);
    expect(dot(fourth ?? axis(2), axis(1))).toBeGreaterThan(0.85);
  });

  it('of a smaller set are the beginning of a larger set', () => {
    const more = [...perturbedCopies(base, { count: 6, seed: 'a' })];
    expect([...perturbedCopies(base, { count: 4, seed: 'a' })]).toEqual(more.slice(0, 4));
  });

  it('contain none of the queries', () => {
    const copies = [...perturbedCopies(base, { count: 20, seed: 'a' })];
    for (const query of queriesNear(base, { count: 5, seed: 'b' })) {
      expect(Math.max(...copies.map((copy) => dot(copy, query)))).toBeLessThan(0.95);
    }
  });
});

describe('a filter', () => {
  it('passes about its share of the ids, ascending', () => {
    const ids = idsBelow(belowOf(0.1) ?? 0, 10_000);
    expect(Math.abs(ids.length - 1000)).toBeLessThan(100);
    expect(ids.every((id, i) => bucketOf(id) < 100 && (i === 0 || id > (ids[i - 1] ?? 0)))).toBe(true);
  });

  it('that passes everything is no filter', () => {
    expect([1, 0.5, 0.001].map(belowOf)).toEqual([undefined, 500, 1]);
  });
});

describe('a file of vectors', () => {
  it('returns as many as are asked for', () => {
    const file = path.join(folder, 'some');
    const vectors = [...perturbedCopies([axis(0)], { count: 1200, seed: 'a' })];
    writeVectors(file, vectors);
    expect([...readVectors({ file, dimensions: DIMENSIONS, count: 1100 })]).toEqual(vectors.slice(0, 1100));
  });

  it('is rejected if it has fewer', () => {
    const file = path.join(folder, 'few');
    writeVectors(file, [axis(0)]);
    expect(() => [...readVectors({ file, dimensions: DIMENSIONS, count: 2 })]).toThrow(/fewer than 2 vectors/);
  });
});

it.each([
  ['float', float],
  ['int8', int8],
  ['hnsw', hnsw],
])(
  'the contender %s finds the nearest vectors, and with a filter only those that it passes',
  async (name, contender) => {
    const file = path.join(folder, name);
    const vectors = { file, dimensions: DIMENSIONS, count: 300 };
    writeVectors(file, perturbedCopies([axis(0), axis(1), axis(2)], { count: 300, seed: 'a' }));
    const place = { vectors, folder: mkdtempSync(`${file}-`) };
    await contender.build(place);
    const opened = await contender.open(place);
    expect(await opened.search(axis(1), { limit: 1, below: undefined })).toEqual([1]);
    const below = await opened.search(axis(1), { limit: 10, below: belowOf(0.1) });
    expect(below).toHaveLength(10);
    expect(below.filter((id) => bucketOf(id) >= 100)).toEqual([]);
    await opened.close();
  },
);

type Given = Partial<ContenderResult> & { readonly p50: number; readonly recall?: number };

function result({ p50, recall = 1, ...given }: Given): ContenderResult {
  return {
    contender: 'exact',
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

const peer = { contender: 'usearch', whose: 'peer' } as const;

describe('a comparison', () => {
  it('compares a peer with the fastest index of Waymark', () => {
    const results = [result({ p50: 4 }), result({ contender: 'hnsw', p50: 1 }), result({ ...peer, p50: 2 })];
    const comparisons = comparisonsOf(results);
    expect(comparisons).toEqual([{ size: 1000, share: 1, peer: 'usearch', ours: 'hnsw', ratio: 2 }]);
    expect(comparisonLines(comparisons)).toEqual([
      '1000 vectors: usearch takes 2.00 times as long as hnsw.',
      'Peers that are faster: none.',
    ]);
  });

  it('excludes contenders with a recall below 0.99', () => {
    const exact = result({ p50: 4 });
    expect(comparisonsOf([exact, result({ ...peer, p50: 1, recall: 0.98 })])).toEqual([]);
    const hnsw = result({ contender: 'hnsw', p50: 1, recall: 0.98 });
    expect(comparisonsOf([exact, hnsw, result({ ...peer, p50: 2 })])).toMatchObject([{ ours: 'exact', ratio: 0.5 }]);
  });

  it('names peers that are faster, also with a filter', () => {
    const filtered = (p50: number) => [{ share: 0.01, p50, p95: p50, recall: 1 }];
    const comparisons = comparisonsOf([
      result({ p50: 0, searches: filtered(3) }),
      result({ ...peer, p50: 0, searches: filtered(2) }),
    ]);
    expect(comparisonLines(comparisons)).toEqual([
      'Peers that are faster: usearch (1000 vectors, filter 1 %: exact takes 1.50 times as long).',
    ]);
  });
});

it('growth is the exponent of build and search time, unknown for a single size', () => {
  const [growth] = growthOf([result({ p50: 1, buildSeconds: 1 }), result({ size: 2000, p50: 2, buildSeconds: 4 })]);
  expect(growth?.search).toBeCloseTo(1, 10);
  expect(growth?.build).toBeCloseTo(2, 10);
  expect(growthOf([result({ p50: 1 })])).toEqual([{ contender: 'exact', build: undefined, search: undefined }]);
});

it('the report has a dash for what a contender cannot do, and its notes', () => {
  const { loadSeconds: _, ...unstored } = result({ ...peer, p50: 0.5 });
  const results = [result({ p50: 0.25 }), unstored];
  const text = vectorsReport({
    embedded: 10,
    dimensions: 384,
    rounds: 3,
    results,
    notes: [{ contender: 'usearch', size: 1000, note: 'cannot be stored' }],
    growth: growthOf(results),
    comparisons: comparisonsOf(results),
  });
  expect(text).toBe(`Milliseconds of a search for ten neighbours among copies of 10 embeddings:

contender  setting     vectors  queries  build s  load s  memory MiB   p50   p95  recall@10
exact      as shipped     1000       20     2.00    1.00          15  0.25  0.50      1.000
usearch    as shipped     1000       20     2.00       —          15  0.50  1.00      1.000

Median milliseconds and recall with filters that pass a share of the vectors:

contender  vectors  50 %  recall  10 %  recall  1 %  recall  0.1 %  recall
exact         1000     —       —     —       —    —       —      —       —
usearch       1000     —       —     —       —    —       —      —       —

usearch, 1000 vectors: cannot be stored
1000 vectors: usearch takes 2.00 times as long as exact.
Peers that are faster: none.
`);
});
