import { afterEach, describe, expect, it, vi } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import type { VectorIndex } from '#src/vectors/vector-index.js';
import { clustered } from '../clustered.js';
import { describeVectorIndex } from '../vector-index-contract.js';
import { ALWAYS_GRAPH } from './always-graph.js';

describeVectorIndex('HnswIndex', (dimensions) => new HnswIndex(new ExactIndex({ dimensions }), ALWAYS_GRAPH));

const VECTORS = clustered(3000, { dimensions: 48, seed: 11 });
const QUERIES = clustered(100, { dimensions: 48, seed: 12 });

function rows(vectors: Iterable<[number, Float32Array]> = VECTORS.entries()): ExactIndex {
  const exact = new ExactIndex({ dimensions: 48 });
  for (const [id, vector] of vectors) exact.add(id, vector);
  return exact;
}

/** Advances the clock by 11 ms per call, so that every slice is one step, on any machine. */
function advanceClockPerCall(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 11;
    return now;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Fraction of the exact index's neighbours that `index` finds. */
function recall(index: VectorIndex, options: { exact: VectorIndex; limit: number }): number {
  let found = 0;
  for (const query of [...QUERIES, ...VECTORS.slice(0, 100)]) {
    const best = new Set(options.exact.search(query, options).map(({ id }) => id));
    found += index.search(query, options).filter(({ id }) => best.has(id)).length;
  }
  return found / (200 * options.limit);
}

describe('recall', () => {
  it('is at least 0.98 for ten neighbours, with the scores of the exact index', async () => {
    const index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
    for (const query of QUERIES) {
      const found = index.search(query, { limit: 10 });
      const scores = index.exact.scores(
        query,
        Uint32Array.from(found, ({ id }) => id),
      );
      expect(Float32Array.from(found, ({ score }) => score)).toEqual(scores);
    }
  });

  it('is 1 where a scan is cheaper than the graph', async () => {
    const index = await HnswIndex.build(rows());
    expect(recall(index, { exact: index.exact, limit: 10 })).toBe(1);
    const graph = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    expect(recall(graph, { exact: graph.exact, limit: 750 })).toBe(1);
  });

  it('survives removals and replacements, even of a whole neighbourhood', async () => {
    const index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    for (let id = 0; id < 1000; id++) index.remove(id);
    for (let id = 1000; id < 1500; id++) index.add(id, VECTORS[id - 1000] ?? new Float32Array());
    const query = VECTORS[2500] ?? new Float32Array();
    const near = index.search(query, { limit: 400 }).map(({ id }) => id);
    for (const id of near) index.remove(id);
    const found = index.search(query, { limit: 10 }).map(({ id }) => id);
    expect([found.length, found.filter((id) => near.includes(id))]).toEqual([10, []]);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
  });
});

describe('rebuild', () => {
  it('is needed when more than a quarter of the nodes are tombstones, and removes them', async () => {
    const index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    for (let id = 0; id < 750; id++) index.remove(id);
    expect(index.needsRebuild).toBe(false);
    index.remove(750);
    expect(index.needsRebuild).toBe(true);
    await index.rebuild();
    expect([index.needsRebuild, index.size, index.missing()]).toEqual([false, 2249, []]);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
  });

  it('includes concurrent changes, while searches continue', async () => {
    const index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    advanceClockPerCall();
    const rebuilt = index.rebuild();
    const [first, second] = [VECTORS[0], VECTORS[1]];
    if (!first || !second) throw new Error('there are no vectors');
    index.remove(0);
    index.add(1, first);
    index.add(5000, second);
    const changed = () => [index.search(first, { limit: 1 })[0]?.id, index.search(second, { limit: 1 })[0]?.id];
    expect(changed()).toEqual([1, 5000]);
    await rebuilt;
    expect(changed()).toEqual([1, 5000]);
    expect([index.has(0), index.size, index.missing()]).toEqual([false, 3000, []]);
  });

  it('leaves the index unchanged when aborted, and can be repeated', async () => {
    const index = await HnswIndex.build(rows(), ALWAYS_GRAPH);
    for (let id = 0; id < 1000; id++) index.remove(id);
    advanceClockPerCall();
    const abort = new AbortController();
    const rebuilt = index.rebuild({ signal: abort.signal });
    await expect(index.rebuild()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    abort.abort(new Error('enough'));
    await expect(rebuilt).rejects.toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    expect([index.needsRebuild, index.missing(), index.size]).toEqual([true, [], 2000]);
    await index.rebuild();
    expect(index.needsRebuild).toBe(false);
  });
});

describe('build', () => {
  it('yields to the event loop between slices', async () => {
    advanceClockPerCall();
    let built = false;
    let turns = 0;
    const turn = () => {
      turns++;
      if (!built) setImmediate(turn);
    };
    setImmediate(turn);
    await HnswIndex.build(rows(VECTORS.slice(0, 100).entries()));
    built = true;
    expect(turns).toBeGreaterThanOrEqual(99);
  });

  it('throws when aborted; an index with an incomplete graph still finds all rows', async () => {
    const signal = AbortSignal.abort();
    await expect(HnswIndex.build(rows(), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    const index = new HnswIndex(rows(VECTORS.slice(0, 500).entries()), ALWAYS_GRAPH);
    for (const [id, vector] of VECTORS.entries()) if (id >= 500) index.add(id, vector);
    expect(index.missing()).toEqual(Array.from({ length: 500 }, (_, id) => id));
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
    await index.catchUp();
    expect(index.missing()).toEqual([]);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
  });

  it('builds the same graph from the same vectors', async () => {
    const [one, other] = [await HnswIndex.build(rows()), await HnswIndex.build(rows())];
    expect(Buffer.compare(await one.snapshot(), await other.snapshot())).toBe(0);
  });

  it('rejects an invalid number of rows per candidate', () => {
    expect(() => new HnswIndex(rows([]), { rowsPerCandidate: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});
