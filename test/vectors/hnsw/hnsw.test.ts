import { afterEach, describe, expect, it, vi } from 'vitest';
import { ExactIndex } from '#src/vectors/exact/exact.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import type { VectorIndex } from '#src/vectors/vector-index.js';
import { describeVectorIndex } from '../contract.js';
import { clustered } from '../seeded.js';

/** So that the graph is asked even where a scan would be the cheaper. */
const ASK_THE_GRAPH = { rowsPerCandidate: 1 };

describeVectorIndex('HnswIndex', (dimensions) => new HnswIndex(new ExactIndex({ dimensions }), ASK_THE_GRAPH));

const VECTORS = clustered(3000, { dimensions: 48, seed: 11 });
const QUERIES = clustered(100, { dimensions: 48, seed: 12 });

function rows(vectors: Iterable<[number, Float32Array]> = VECTORS.entries()): ExactIndex {
  const exact = new ExactIndex({ dimensions: 48 });
  for (const [id, vector] of vectors) exact.add(id, vector);
  return exact;
}

/** Lets every look at the clock find that 11 ms are over: a slice is then one step, on any machine. */
function hurryTheClock(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 11;
    return now;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Share of the exact index's best that are in the other's answers. */
function recall(index: VectorIndex, options: { exact: VectorIndex; limit: number }): number {
  let found = 0;
  for (const query of [...QUERIES, ...VECTORS.slice(0, 100)]) {
    const best = new Set(options.exact.search(query, options).map(({ id }) => id));
    found += index.search(query, options).filter(({ id }) => best.has(id)).length;
  }
  return found / (200 * options.limit);
}

describe('recall', () => {
  it('is at least 0.98 of the exact index’s ten best, and the scores are its scores', async () => {
    const index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
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

  it('is 1 where most of the graph would be asked for, or a scan costs less', async () => {
    const index = await HnswIndex.build(rows());
    expect(recall(index, { exact: index.exact, limit: 10 })).toBe(1);
    const graph = await HnswIndex.build(rows(), ASK_THE_GRAPH);
    expect(recall(graph, { exact: graph.exact, limit: 750 })).toBe(1);
  });

  it('lasts through removing and replacing, with the neighbourhood of a query dead', async () => {
    const index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
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
  it('is needed when more than a quarter of the graph is dead, and ends that', async () => {
    const index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
    for (let id = 0; id < 750; id++) index.remove(id);
    expect(index.needsRebuild).toBe(false);
    index.remove(750);
    expect(index.needsRebuild).toBe(true);
    await index.rebuild();
    expect([index.needsRebuild, index.size, index.missing()]).toEqual([false, 2249, []]);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
  });

  it('takes up what changes meanwhile, and serves all the while', async () => {
    const index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
    hurryTheClock();
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

  it('that is aborted leaves the index as it was, and another may follow', async () => {
    const index = await HnswIndex.build(rows(), ASK_THE_GRAPH);
    for (let id = 0; id < 1000; id++) index.remove(id);
    hurryTheClock();
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
  it('lets the event loop turn between slices', async () => {
    hurryTheClock();
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

  it('that is aborted throws, and an index that is not full answers in full', async () => {
    const signal = AbortSignal.abort();
    await expect(HnswIndex.build(rows(), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    const index = new HnswIndex(rows(VECTORS.slice(0, 500).entries()), ASK_THE_GRAPH);
    for (const [id, vector] of VECTORS.entries()) if (id >= 500) index.add(id, vector);
    expect(index.missing()).toEqual(Array.from({ length: 500 }, (_, id) => id));
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
    await index.catchUp();
    expect(index.missing()).toEqual([]);
    expect(recall(index, { exact: index.exact, limit: 10 })).toBeGreaterThanOrEqual(0.98);
  });

  it('makes the same graph from the same vectors', async () => {
    const [one, other] = [await HnswIndex.build(rows()), await HnswIndex.build(rows())];
    expect(Buffer.compare(await one.snapshot(), await other.snapshot())).toBe(0);
  });

  it('rejects a cost that is no number of rows', () => {
    expect(() => new HnswIndex(rows([]), { rowsPerCandidate: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});
