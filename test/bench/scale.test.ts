import { expect, test } from 'vitest';
import { measuredOf } from '../../bench/scale/measured.js';
import { COMPRESSIONS, planOf } from '../../bench/scale/plan.js';
import { simulateLoad } from '../../bench/scale/simulate-load.js';
import { simulatePlacement } from '../../bench/scale/simulate-placement.js';

const MEASURED = {
  passages: 100_000,
  memory: 4_000,
  disk: 5_000,
  search: 0.05,
  growth: 0,
  indexing: 0.005,
  embedding: 0.02,
};
const [NONE, EIGHT_BITS] = COMPRESSIONS as [(typeof COMPRESSIONS)[number], (typeof COMPRESSIONS)[number]];
const OPTIONS = {
  passages: 30_000_000,
  machine: { cores: 8, memory: 64 },
  compression: NONE,
  replicas: 3,
  dimensions: 384,
  searches: 100,
};

test('nodes hold three copies of everything in 60 % of their memory, and answer with half of their cores', () => {
  // A node takes 38.4 GB, 9.6 million passages of 4,000 bytes: four bots of 30 GB, of which it has room for one.
  expect(planOf(MEASURED, OPTIONS)).toEqual({
    nodes: { forMemory: 12, forSearches: 2, all: 12 },
    memory: 360,
    disk: 450,
    bots: 4,
    hours: { nodes: expect.closeTo(0.43, 2), embedding: expect.closeTo(83.3, 1) },
  });
});

test('each replica of a bot has a node of its own', () => {
  const nodesFor = (passages: number) => planOf(MEASURED, { ...OPTIONS, passages }).nodes.forMemory;
  expect([1_000_000, 9_600_000, 9_600_001, 19_200_001].map(nodesFor)).toEqual([3, 3, 6, 9]);
});

test('quantisation saves the memory of vectors only', () => {
  // 384 dimensions of 3 bytes less.
  expect(planOf(MEASURED, { ...OPTIONS, compression: EIGHT_BITS }).memory).toBeCloseTo((90 * (4_000 - 1_152)) / 1000);
});

test('there are at least as many nodes as replicas', () => {
  expect(planOf(MEASURED, { ...OPTIONS, passages: 1000, searches: 1 }).nodes.all).toBe(3);
});

test('searches that grow with the passages of a bot need more nodes', () => {
  const grown = planOf({ ...MEASURED, growth: 0.5 }, OPTIONS);
  // 7.5 million passages of a bot are 75 times those that were measured.
  expect(grown.nodes.forSearches).toBe(Math.ceil((100 * 0.05 * Math.sqrt(75)) / 4));
});

test('the measured figures are those of the largest size, minus the memory and disk of empty nodes', () => {
  const load = (perSecond: number) => [{ clients: 1, calls: 1, p50: 1, p95: 1, p99: 1, max: 1, perSecond }];
  const busy = { calls: 1, p50: 1, p95: 1, p99: 1, max: 1 };
  const achieved = (indexing: number, perSecond: number) => ({ indexing, busy, load: load(perSecond) });
  const nodes = (memory: number, disk: number) => [{ memory, disk }];
  const size = (passages: number, perSecond: number) => ({
    passages,
    database: achieved(2000, 100),
    cluster: achieved(400, perSecond),
    databaseSize: 1,
    nodes: nodes(500, 300),
    emptyNodes: nodes(100, 0),
    overlap: 1,
  });
  const results = {
    sizes: [size(100_000, 20), size(10_000, 40)],
    withModel: { passages: 1000, database: 100, cluster: 80 },
    indexers: [],
  };
  expect(measuredOf({ machine: { cores: 2 }, results })).toEqual({
    passages: 100_000,
    memory: 4000,
    disk: 3000,
    search: 0.1,
    growth: expect.closeTo(Math.log10(2), 6),
    indexing: 0.005,
    embedding: 0.02,
  });
});

test('the busier the cores are, the longer a search waits; a run is repeated exactly', () => {
  const options = { nodes: 3, cores: 8, search: 0.05, parts: 3 };
  const latencies = [0.1, 0.5, 0.95].map((busy) => simulateLoad({ ...options, busy }));
  expect(latencies.map(({ p95 }) => p95)).toEqual(latencies.map(({ p95 }) => p95).toSorted((a, b) => a - b));
  expect(simulateLoad({ ...options, busy: 0.5 })).toEqual(latencies[1]);
});

test('on idle cores, the times of a search in one part are exponentially distributed', () => {
  const { p50, p95 } = simulateLoad({ nodes: 100, cores: 8, search: 1, parts: 1, busy: 0.001 });
  expect([p50, p95]).toEqual([expect.closeTo(Math.LN2, 1), expect.closeTo(Math.log(20), 1)]);
});

test('nodes fill evenly if each has every bot; bots filled in turn are placed better than empty ones', () => {
  expect(simulatePlacement({ nodes: 3, replicas: 3, bots: 10 })).toEqual({ filledInTurn: 1, createdFirst: 1 });
  const { filledInTurn, createdFirst } = simulatePlacement({ nodes: 12, replicas: 3, bots: 100 });
  expect(filledInTurn).toBeLessThan(createdFirst);
});
