import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdTable } from '#src/vectors/exact/id-table.js';
import { MAX_ID } from '#src/vectors/vector-index.js';

const id = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.constantFrom(MAX_ID, MAX_ID - 1, 2 ** 31, 2 ** 31 - 1));

it('holds what a Map would hold after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.option(fc.nat(2 ** 24))), { maxLength: 300 }), (changes) => {
      const table = new IdTable();
      const map = new Map<number, number>();
      for (const [id, value] of changes) {
        if (value !== null) {
          table.set(id, value);
          map.set(id, value);
        } else if (map.delete(id)) {
          table.delete(id);
        }
        expect([table.size, table.get(id)]).toEqual([map.size, map.get(id) ?? -1]);
      }
      for (const [id] of changes) expect(table.get(id)).toBe(map.get(id) ?? -1);
    }),
  );
});

it('has no value for a number that is not a uint32', () => {
  const table = new IdTable();
  table.set(0, 7);
  table.set(MAX_ID, 8);
  expect([0.5, -1, MAX_ID + 1, Number.NaN].map((id) => table.get(id))).toEqual([-1, -1, -1, -1]);
});
