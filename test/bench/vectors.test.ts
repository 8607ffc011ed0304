import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../bench/usage-error.js';
import { argumentsOf } from '../../bench/vectors/arguments.js';
import { belowOf, bucketOf, idsBelow } from '../../bench/vectors/bucket.js';
import { copiesOf, perturbed, queriesNear } from '../../bench/vectors/perturb.js';
import { gaussianOf, randomOf } from '../../bench/vectors/random.js';
import { meanRecall } from '../../bench/vectors/recall.js';
import { float, int8 } from '../../bench/vectors/sides/exact.js';
import { hnsw } from '../../bench/vectors/sides/hnsw.js';
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

describe('a perturbed vector', () => {
  const noisy = (seed: number) => perturbed(axis(0), { gaussian: gaussianOf(randomOf(seed)) });

  it('is of length 1', () => {
    expect(dot(noisy(1), noisy(1))).toBeCloseTo(1, 5);
  });

  it('has a cosine of about .9 to its origin', () => {
    for (const seed of [1, 2, 3]) expect(Math.abs(dot(noisy(seed), axis(0)) - 0.9)).toBeLessThan(0.03);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(noisy(1)).toEqual(noisy(1));
    expect(noisy(1)).not.toEqual(noisy(2));
  });
});

describe('copies', () => {
  const base = [axis(0), axis(1)];

  it('begin with the vectors as they are, then follow them in turn', () => {
    const [first, second, third, fourth] = copiesOf(base, { count: 4, seed: 1 });
    expect([first, second]).toEqual(base);
    expect(dot(third ?? axis(2), axis(0))).toBeGreaterThan(0.85);
    expect(dot(fourth ?? axis(2), axis(1))).toBeGreaterThan(0.85);
  });

  it('of a smaller number are the beginning of more', () => {
    const more = [...copiesOf(base, { count: 6, seed: 1 })];
    expect([...copiesOf(base, { count: 4, seed: 1 })]).toEqual(more.slice(0, 4));
  });

  it('have none of the queries among them', () => {
    const copies = [...copiesOf(base, { count: 20, seed: 1 })];
    for (const query of queriesNear(base, { count: 5, seed: 2 })) {
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

  it('of everything is none', () => {
    expect([1, 0.5, 0.001].map(belowOf)).toEqual([undefined, 500, 1]);
  });
});

describe('recall', () => {
  it('is the mean share of the exact neighbours that are found, in any order', () => {
    expect(
      meanRecall(
        [
          [3, 1],
          [4, 9],
        ],
        [
          [1, 3],
          [4, 5],
        ],
      ),
    ).toBe(0.75);
  });

  it('passes over queries that have no neighbour', () => {
    expect(meanRecall([[7], [1]], [[], [1, 2]])).toBe(0.5);
    expect(meanRecall([[]], [[]])).toBe(1);
  });
});

describe('a file of vectors', () => {
  it('gives them back, as many as are asked for', () => {
    const file = path.join(folder, 'some');
    const vectors = [...copiesOf([axis(0)], { count: 1200, seed: 1 })];
    writeVectors(file, vectors);
    expect([...readVectors({ file, dimensions: DIMENSIONS, count: 1100 })]).toEqual(vectors.slice(0, 1100));
  });

  it('is refused where it holds fewer', () => {
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
  'the side %s finds the nearest after it was built and opened, and of a filter only what that passes',
  async (name, side) => {
    const file = path.join(folder, name);
    const vectors = { file, dimensions: DIMENSIONS, count: 300 };
    writeVectors(file, copiesOf([axis(0), axis(1), axis(2)], { count: 300, seed: 1 }));
    const place = { vectors, folder: mkdtempSync(`${file}-`) };
    await side.build(place);
    const opened = await side.open(place);
    expect(await opened.search(axis(1), { limit: 1, below: undefined })).toEqual([1]);
    const below = await opened.search(axis(1), { limit: 10, below: belowOf(0.1) });
    expect(below).toHaveLength(10);
    expect(below.filter((id) => bucketOf(id) >= 100)).toEqual([]);
    await opened.close();
  },
);

describe('arguments', () => {
  it('are all peers and two sizes unless told otherwise', () => {
    expect(argumentsOf([])).toMatchObject({ sizes: [100_000, 300_000], queries: 200, slowLimit: 100_000 });
    expect(argumentsOf([]).peers).toEqual(['sqlite-vec', 'lancedb', 'usearch', 'orama', 'vectra']);
    expect(argumentsOf(['--peers', 'none']).peers).toEqual([]);
    expect(argumentsOf(['--sizes', '4000,2000']).sizes).toEqual([2000, 4000]);
  });

  it('are refused with a sentence', () => {
    expect(() => argumentsOf(['--peers', 'faiss'])).toThrow(
      new UsageError(
        'There is no peer "faiss": choose of sqlite-vec, lancedb, usearch, orama, vectra, or all, or none.',
      ),
    );
    expect(() => argumentsOf(['--sizes', '1e5'])).toThrow(/--sizes must be whole numbers from 1/);
  });
});
