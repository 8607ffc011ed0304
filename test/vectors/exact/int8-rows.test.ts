import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { quantiseQuery } from '#src/vectors/exact/int8-query.js';
import { Int8Rows } from '#src/vectors/exact/int8-rows.js';
import { clustered, unit } from '../clustered.js';

it('the margin of a quantised query exceeds its quantisation error', () => {
  const query = fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 70 })
    .filter((elements) => elements.some((element) => element !== 0))
    .map(unit);
  fc.assert(
    fc.property(query, (query) => {
      const to = new Int16Array(Math.ceil(query.length / 16) * 16);
      const { factor, weight, margin } = quantiseQuery(query, to);
      const lost = Math.hypot(...query.map((element, i) => element - factor * (to[i] ?? 0)));
      expect(margin).toBeGreaterThan(lost);
      expect(margin).toBeLessThan(1e-3);
      expect(weight).toBeCloseTo(1, 3);
      expect(Math.max(...to.map(Math.abs))).toBe(32_767);
    }),
  );
});

it('shortlists few rows besides the nearest, none of them twice', () => {
  const rows = Int8Rows.open(384);
  const vectors = clustered(5000, { dimensions: 384, seed: 8 });
  rows?.reserve(vectors.length);
  for (const [slot, vector] of vectors.entries()) rows?.write(slot, vector);
  const [query = new Float32Array(384)] = vectors;
  const list = rows?.shortlist(query, { count: vectors.length, limit: 20 });
  const surest = [...(list?.surest() ?? [])];
  const others = [...(list?.reaching(list.threshold) ?? [])];
  expect(surest.length).toBeGreaterThanOrEqual(20);
  expect(surest.length + others.length).toBeLessThan(300);
  expect(new Set([...surest, ...others]).size).toBe(surest.length + others.length);
  expect(list?.reaching(2)).toEqual(new Uint32Array());
  expect(surest).toContain(0);
});

it('shortlists every row as reaching its own score, for various dimensions', () => {
  for (const dimensions of [1, 3, 16, 33, 384, 1024]) {
    const vectors = clustered(300, { dimensions, seed: dimensions });
    const index = new ExactIndex({ dimensions, precision: 'float' });
    const rows = Int8Rows.open(dimensions);
    rows?.reserve(vectors.length);
    for (const [slot, vector] of vectors.entries()) {
      index.add(slot, vector);
      rows?.write(slot, vector);
    }
    for (const query of clustered(5, { dimensions, seed: 9 })) {
      const list = rows?.shortlist(query, { count: vectors.length, limit: 1 });
      const surest = list?.surest();
      for (const { id, score } of index.search(query, { limit: vectors.length })) {
        expect(surest?.includes(id) || list?.reaching(score).includes(id)).toBe(true);
      }
    }
  }
});
