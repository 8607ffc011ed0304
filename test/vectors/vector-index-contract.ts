import { describe, expect, it } from 'vitest';
import { MAX_ID, type VectorIndex } from '#src/vectors/vector-index.js';
import { clustered } from './clustered.js';

const EAST = Float32Array.of(1, 0);
const NORTH = Float32Array.of(0, 1);
const BETWEEN = Float32Array.of(0.6, 0.8);

/** The contract of `VectorIndex`: tests that every implementation passes. */
export function describeVectorIndex(name: string, create: (dimensions: number) => VectorIndex): void {
  function compass(): VectorIndex {
    const index = create(2);
    index.add(1, EAST);
    index.add(2, NORTH);
    index.add(3, BETWEEN);
    return index;
  }

  describe(`${name} is a vector index`, () => {
    it('returns nothing when it is empty', () => {
      const index = create(2);
      expect([index.size, index.has(0), index.remove(0), index.search(EAST, { limit: 3 })]).toEqual([
        0,
        false,
        false,
        [],
      ]);
    });

    it('returns the nearest first, with their dot products', () => {
      expect(compass().search(NORTH, { limit: 3 })).toEqual([
        { id: 2, score: 1 },
        { id: 3, score: Math.fround(0.8) },
        { id: 1, score: 0 },
      ]);
    });

    it('returns at most `limit` neighbours, and all when the limit exceeds the size', () => {
      expect(ids(compass(), { query: NORTH, limit: 2 })).toEqual([2, 3]);
      expect(ids(compass(), { query: NORTH, limit: 1e9 })).toEqual([2, 3, 1]);
    });

    it('orders equal scores by ascending id', () => {
      const index = create(2);
      for (const id of [7, 3, 9, 5]) index.add(id, EAST);
      expect(ids(index, { query: EAST, limit: 3 })).toEqual([3, 5, 7]);
      expect(ids(index, { query: EAST, limit: 2, only: Uint32Array.of(9, 7, 5) })).toEqual([5, 7]);
    });

    it('searches only the given ids, ignoring duplicates and ids that it does not hold', () => {
      expect(ids(compass(), { query: NORTH, limit: 9, only: Uint32Array.of(3, 1, 3, 8, 1) })).toEqual([3, 1]);
      expect(ids(compass(), { query: NORTH, limit: 9, only: new Uint32Array() })).toEqual([]);
    });

    it('sees additions and removals when the same ids are passed again', () => {
      const index = compass();
      const only = Uint32Array.of(1, 2, 4);
      expect(ids(index, { query: NORTH, limit: 9, only })).toEqual([2, 1]);
      index.add(4, BETWEEN);
      expect(ids(index, { query: NORTH, limit: 9, only })).toEqual([2, 4, 1]);
      index.remove(2);
      expect(ids(index, { query: NORTH, limit: 9, only })).toEqual([4, 1]);
    });

    it('scores the given ids in their order, with NaN for ids that it does not hold', () => {
      expect(compass().scores(EAST, Uint32Array.of(2, 8, 1, 3, 1))).toEqual(Float32Array.of(0, Number.NaN, 1, 0.6, 1));
    });

    it('replaces the vector of an id that it holds', () => {
      const index = compass();
      index.add(1, NORTH);
      expect([index.size, ids(index, { query: NORTH, limit: 3 })]).toEqual([3, [1, 2, 3]]);
    });

    it('forgets a removed id and accepts it again', () => {
      const index = compass();
      expect([index.remove(1), index.remove(1), index.has(1), index.size]).toEqual([true, false, false, 2]);
      expect(ids(index, { query: EAST, limit: 3 })).toEqual([3, 2]);
      expect(ids(index, { query: EAST, limit: 3, only: Uint32Array.of(1, 2) })).toEqual([2]);
      index.add(1, NORTH);
      expect(ids(index, { query: NORTH, limit: 3 })).toEqual([1, 2, 3]);
    });

    it('stores a copy of the vector', () => {
      const index = create(2);
      const embedding = Float32Array.of(1, 0);
      index.add(1, embedding);
      embedding.set(NORTH);
      expect(index.search(EAST, { limit: 1 })).toEqual([{ id: 1, score: 1 }]);
    });

    it.each([
      ['of other dimensions', Float32Array.of(1, 0, 0)],
      ['that is empty', new Float32Array()],
      ['with NaN', Float32Array.of(1, Number.NaN)],
      ['with Infinity', Float32Array.of(Number.POSITIVE_INFINITY, 0)],
      ['of length 0', Float32Array.of(0, 0)],
      ['of length 2', Float32Array.of(2, 0)],
    ])('rejects a vector %s and stays unchanged', (_name, embedding) => {
      const index = compass();
      const invalid = expect.objectContaining({ code: 'EMBEDDING_INVALID' });
      expect(() => index.add(1, embedding)).toThrow(invalid);
      expect(() => index.add(4, embedding)).toThrow(invalid);
      expect(() => index.search(embedding, { limit: 1 })).toThrow(invalid);
      expect(() => index.search(embedding, { limit: 1, only: Uint32Array.of(1) })).toThrow(invalid);
      expect(() => index.scores(embedding, Uint32Array.of(1))).toThrow(invalid);
      expect([index.size, index.has(4), ids(index, { query: EAST, limit: 9 })]).toEqual([3, false, [1, 3, 2]]);
    });

    it.each([-1, 0.5, Number.NaN, MAX_ID + 1])('rejects the id %d and stays unchanged', (id) => {
      const index = compass();
      expect(() => index.add(id, EAST)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
      expect([index.size, index.has(id), index.remove(id)]).toEqual([3, false, false]);
    });

    it('accepts the smallest and the greatest id', () => {
      const index = create(2);
      index.add(0, EAST);
      index.add(MAX_ID, BETWEEN);
      expect(ids(index, { query: EAST, limit: 2 })).toEqual([0, MAX_ID]);
      expect(index.scores(EAST, Uint32Array.of(MAX_ID))).toEqual(Float32Array.of(0.6));
    });

    it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects the limit %d', (limit) => {
      const invalid = expect.objectContaining({ code: 'INVALID_ARGUMENT' });
      expect(() => compass().search(EAST, { limit })).toThrow(invalid);
      expect(() => compass().search(EAST, { limit, only: Uint32Array.of(1) })).toThrow(invalid);
    });

    describe('with a thousand vectors', () => {
      const vectors = clustered(1000, { dimensions: 24, seed: 1 });
      const queries = clustered(20, { dimensions: 24, seed: 2 });

      function filled(): VectorIndex {
        const index = create(24);
        for (const [id, vector] of vectors.entries()) index.add(id, vector);
        return index;
      }

      it('starts a longer result with the shorter one', () => {
        const index = filled();
        for (const query of queries) {
          const longer = index.search(query, { limit: 32 });
          for (const limit of [1, 2, 10, 31]) expect(index.search(query, { limit })).toEqual(longer.slice(0, limit));
        }
      });

      it('gives a pair the same score, bit for bit, from every method', () => {
        const index = filled();
        for (const query of queries) {
          const found = index.search(query, { limit: 32 });
          const only = Uint32Array.from(found, ({ id }) => id);
          expect(index.search(query, { limit: 32, only })).toEqual(found);
          expect(index.scores(query, only)).toEqual(Float32Array.from(found, ({ score }) => score));
        }
      });

      it('never returns removed ids, and still returns `limit` neighbours', () => {
        const index = filled();
        for (let id = 0; id < 1000; id++) if (id % 3 !== 0) index.remove(id);
        for (const query of queries) {
          const found = ids(index, { query, limit: 50 });
          expect([found.length, found.filter((id) => id % 3 !== 0)]).toEqual([50, []]);
        }
      });

      it('finds ids by the vectors that replaced theirs', () => {
        const index = filled();
        for (const [id, vector] of vectors.entries()) index.add((id + 500) % 1000, vector);
        expect(index.size).toBe(1000);
        for (const id of [0, 1, 499, 500, 999]) {
          const [best] = index.search(vectors[id] ?? EAST, { limit: 1 });
          expect(best?.id).toBe((id + 500) % 1000);
        }
      });
    });
  });
}

function ids(
  index: VectorIndex,
  search: { readonly query: Float32Array; readonly limit: number; readonly only?: Uint32Array },
): number[] {
  return index.search(search.query, search).map(({ id }) => id);
}
