import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { clustered, unit } from '../clustered.js';

const DIMENSIONS = [1, 2, 15, 16, 17, 40] as const;

const elements = (dimensions: number) => {
  const of = (element: fc.Arbitrary<number>) => fc.array(element, { minLength: dimensions, maxLength: dimensions });
  return fc.oneof(
    of(fc.integer({ min: -100, max: 100 })),
    // Equal and nearly equal rows, and rows with elements that int8 rounds to 0.
    of(fc.constantFrom(0, 1)),
    of(fc.constantFrom(1, -1, 1 + 2 ** -20, 2 ** -12, -(2 ** -12))),
    of(fc.constantFrom(1, 1e-7, -1e-30, 0)),
    // One-hot.
    fc.tuple(fc.nat(dimensions - 1), fc.constantFrom(1, -1)).map(([at, one]) => {
      const row = new Array<number>(dimensions).fill(0);
      row[at] = one;
      return row;
    }),
  );
};

const vector = (dimensions: number) =>
  elements(dimensions)
    .filter((row) => row.some((element) => Math.abs(element) > 1e-3))
    .map(unit);

const cases = fc.constantFrom(...DIMENSIONS).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    // Most rows occur several times; a third of the changes remove, and many of the others replace.
    changes: fc.array(vector(dimensions), { minLength: 1, maxLength: 40, size: 'max' }).chain((rows) =>
      fc.array(fc.tuple(fc.nat(60), fc.option(fc.constantFrom(...rows), { freq: 2 })), {
        maxLength: 150,
        size: 'max',
      }),
    ),
    queries: fc.array(vector(dimensions), { minLength: 1, maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 6 }),
    only: fc.uniqueArray(fc.nat(70), { maxLength: 70, size: 'max' }),
  }),
);

/** Empty indexes that must give the same results. */
function indexes(dimensions: number): ExactIndex[] {
  return [
    new ExactIndex({ dimensions, precision: 'float' }),
    new ExactIndex({ dimensions, precision: 'int8' }),
    new ExactIndex({ dimensions, precision: 'int8', kernel: 'javascript' }),
  ];
}

describe('int8 and float give the same results, bit for bit', () => {
  it('after any additions, replacements and removals, with and without a filter', () => {
    fc.assert(
      fc.property(cases, ({ dimensions, changes, queries, limit, only }) => {
        const all = indexes(dimensions);
        for (const [id, row] of changes) {
          for (const index of all) {
            if (row) index.add(id, row);
            else index.remove(id);
          }
        }
        for (const query of queries) {
          for (const options of [{ limit }, { limit: 1 }, { limit, only: Uint32Array.from(only) }]) {
            const [float, int8, javascript] = all.map((index) => index.search(query, options));
            expect(int8).toEqual(float);
            expect(javascript).toEqual(float);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('with thousands of rows, in random order and in ascending order of their scores', () => {
    const rows = clustered(9_001, { dimensions: 48, seed: 5 });
    const [query = new Float32Array(48), ...queries] = clustered(6, { dimensions: 48, seed: 6 });
    const score = (row: Float32Array) => row.reduce((sum, element, i) => sum + element * (query[i] ?? 0), 0);
    // In ascending order, each row is better than all before it.
    for (const order of [rows, rows.toSorted((a, b) => score(a) - score(b))]) {
      const [float, int8] = indexes(48);
      for (const [id, row] of order.entries()) for (const index of [float, int8]) index?.add(id * 7, row);
      const wide = Uint32Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 9001) * 7);
      for (const each of [query, ...queries]) {
        for (const limit of [1, 10, 1000, 2000, 9000]) {
          expect(int8?.search(each, { limit })).toEqual(float?.search(each, { limit }));
          expect(int8?.search(each, { limit, only: wide })).toEqual(float?.search(each, { limit, only: wide }));
        }
      }
    }
  });

  it('after the rows have become too few for int8 by default, and enough again', () => {
    const dimensions = 48;
    const all = [new ExactIndex({ dimensions, precision: 'float' }), new ExactIndex({ dimensions })] as const;
    const add = (from: number, seed: number) => {
      for (const [i, row] of clustered(4_200, { dimensions, seed }).entries()) {
        for (const index of all) index.add(from + i, row);
      }
    };
    add(0, 7);
    for (const index of all) for (let id = 0; id < 4_200; id++) index.remove(id);
    add(5_000, 8);
    const [float, int8] = all;
    expect(int8.precision).toBe('int8');
    for (const query of clustered(6, { dimensions, seed: 9 })) {
      expect(int8.search(query, { limit: 10 })).toEqual(float.search(query, { limit: 10 }));
    }
  });

  it('with the largest possible sums of integers', () => {
    const dimensions = 65_536;
    const all = indexes(dimensions).slice(0, 2);
    const even = unit(new Array(dimensions).fill(1));
    const odd = even.map((element, i) => (i % 2 ? element : -element));
    const opposite = even.map((element) => -element);
    for (const [id, row] of [opposite, odd, even, even, odd, opposite, even].entries()) {
      for (const index of all) index.add(id, row);
    }
    for (const query of [even, odd, opposite]) {
      const [float, int8] = all.map((index) => index.search(query, { limit: 1 }));
      expect(int8).toEqual(float);
      expect(int8?.[0]?.score).toBeCloseTo(1, 4);
    }
  });
});

it('precision defaults to int8 from 4,096 vectors on, and is float with the JavaScript kernel', () => {
  const precisions = (options: { precision?: 'float' | 'int8'; kernel?: 'javascript' }) => {
    const index = new ExactIndex({ dimensions: 2, ...options });
    return Array.from({ length: 4096 }, (_, id) => {
      index.add(id, Float32Array.of(1, 0));
      return index.precision;
    }).filter((precision, i, all) => precision !== all[i - 1] || i === 4095);
  };
  expect(precisions({})).toEqual(['float', 'int8']);
  expect(precisions({ precision: 'int8' })).toEqual(['int8', 'int8']);
  expect(precisions({ precision: 'float' })).toEqual(['float', 'float']);
  expect(precisions({ precision: 'int8', kernel: 'javascript' })).toEqual(['float', 'float']);
});
