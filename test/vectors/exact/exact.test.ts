import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { clustered, unit } from '../clustered.js';
import { describeVectorIndex } from '../vector-index-contract.js';

const KERNELS = ['wasm', 'javascript'] as const;

for (const kernel of KERNELS) {
  describeVectorIndex(`ExactIndex (${kernel})`, (dimensions) => new ExactIndex({ dimensions, kernel }));
}

describeVectorIndex('ExactIndex (int8)', (dimensions) => new ExactIndex({ dimensions, precision: 'int8' }));

const vectors = (dimensions: number) =>
  fc
    .array(fc.integer({ min: -100, max: 100 }), { minLength: dimensions, maxLength: dimensions })
    .filter((elements) => elements.some((element) => element !== 0))
    .map(unit);

/** Vectors with the same odd number of dimensions; the first is the query. */
const cases = fc
  .integer({ min: 0, max: 40 })
  .chain((half) => fc.array(vectors(2 * half + 1), { minLength: 1, maxLength: 30 }));

describe.each(KERNELS)('the exact index (%s)', (kernel) => {
  it('finds what a naive scan and sort finds', () => {
    fc.assert(
      fc.property(cases, ([query = new Float32Array(), ...rows]) => {
        const index = new ExactIndex({ dimensions: query.length, kernel });
        for (const [id, row] of rows.entries()) index.add(id, row);
        const found = index.search(query, { limit: 1 + rows.length });
        expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...rows.keys()]);
        for (const [place, { id, score }] of found.entries()) {
          const naive = (rows[id] ?? query).reduce((sum, element, i) => sum + element * (query[i] ?? 0), 0);
          expect(score).toBeCloseTo(naive, 5);
          const before = found[place - 1];
          if (before) expect(before.score > score || (before.score === score && before.id < id)).toBe(true);
        }
      }),
    );
  });

  it('holds what a Map would hold after any additions, replacements and removals', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.option(vectors(3)));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const index = new ExactIndex({ dimensions: 3, kernel });
        const map = new Map<number, Float32Array>();
        for (const [id, vector] of changes) {
          if (vector === null) expect(index.remove(id)).toBe(map.delete(id));
          else {
            index.add(id, vector);
            map.set(id, vector);
          }
        }
        expect(index.size).toBe(map.size);
        for (let id = 0; id < 10; id++) expect(index.embedding(id)).toEqual(map.get(id));
        expect([...index.ids()].sort()).toEqual([...map.keys()].sort());
      }),
    );
  });

  it('gives equal vectors equal scores in every row, across several kernel calls', () => {
    const index = new ExactIndex({ dimensions: 5, kernel });
    const vector = unit([3, 1, 4, 1, 5]);
    const query = unit([2, 7, 1, 8, 2]);
    for (let id = 0; id < 10_000; id++) index.add(id, vector);
    const [first] = index.search(query, { limit: 1 });
    const found = index.search(query, { limit: 10_000 });
    expect(found).toEqual(Array.from({ length: 10_000 }, (_, id) => ({ id, score: first?.score })));
    const only = Uint32Array.from(found, ({ id }) => 9_999 - id);
    expect(index.search(query, { limit: 10_000, only })).toEqual(found);
    expect(index.scores(query, only)).toEqual(new Float32Array(10_000).fill(first?.score ?? 0));
  });

  it('throws when it is full and stays usable', () => {
    const index = new ExactIndex({ dimensions: 2, kernel, maximumBytes: 2 * 65_536 });
    const fill = () => {
      for (let id = 0; id < 5000; id++) index.add(id, Float32Array.of(0, 1));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'VECTOR_INDEX_UNAVAILABLE' }));
    const { size } = index;
    expect([index.has(size - 1), index.has(size)]).toEqual([true, false]);
    index.add(0, Float32Array.of(1, 0));
    index.remove(1);
    index.add(9999, Float32Array.of(0.6, 0.8));
    expect(index.search(Float32Array.of(1, 0), { limit: 2 }).map(({ id }) => id)).toEqual([0, 9999]);
  });
});

it('gives a pair the same score, bit for bit, with either kernel', () => {
  const all = clustered(500, { dimensions: 77, seed: 3 });
  const [wasm, javascript] = KERNELS.map((kernel) => {
    const index = new ExactIndex({ dimensions: 77, kernel });
    for (const [id, vector] of all.entries()) index.add(id, vector);
    return all.slice(0, 20).map((query) => index.search(query, { limit: 500 }));
  });
  expect(wasm).toEqual(javascript);
});

it.each([0, -1, 1.5, Number.NaN, 65_537])('rejects %d dimensions', (dimensions) => {
  expect(() => new ExactIndex({ dimensions })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

describe('the kernel', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const noAddressSpace = {
    validate: (): boolean => true,
    Memory: class {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    },
  };

  it.each([
    ['is missing', undefined],
    ['has no SIMD', { validate: (): boolean => false }],
    ['has no address space', noAddressSpace],
  ])('is JavaScript where WebAssembly %s, and "wasm" is an error', (_name, webAssembly) => {
    vi.stubGlobal('WebAssembly', webAssembly);
    expect(new ExactIndex({ dimensions: 2 }).kernel).toBe('javascript');
    expect(() => new ExactIndex({ dimensions: 2, kernel: 'wasm' })).toThrow(
      expect.objectContaining({ code: 'VECTOR_INDEX_UNAVAILABLE' }),
    );
  });

  it('is WebAssembly where it has SIMD', () => {
    expect(new ExactIndex({ dimensions: 2 }).kernel).toBe('wasm');
  });
});
