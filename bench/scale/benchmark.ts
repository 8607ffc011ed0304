import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { positiveInteger, positiveNumber, sizes } from '../support/cli/option-values.js';
import { readMeasured } from './measured.js';
import { COMPRESSIONS, planOf } from './plan.js';
import { scaleReport } from './report.js';
import { simulateLoad } from './simulate-load.js';
import { simulatePlacement } from './simulate-placement.js';

/** Of the bundled model. */
const DIMENSIONS = 384;

const REPLICAS = 3;

/** What runs of a search at the same time: the nearest passages, those with the words, and the totals. */
const PARTS = 3;

const BUSY = [0.3, 0.5, 0.7, 0.9];
const PLACED = [
  { bots: 10, nodes: 6 },
  { bots: 100, nodes: 12 },
  { bots: 1000, nodes: 30 },
];

export const scale = defineBenchmark({
  name: 'scale',
  summary: 'What a cluster of a size needs, computed from bench/results/cluster.json.',
  details: 'Nothing is measured: figures of larger clusters are computed and simulated.',
  options: {
    passages: option('<n,...>', 'passages', { parse: sizes, default: '10000000,100000000,1000000000' }),
    cores: option('<n>', 'cores of a node', { parse: positiveInteger, default: '8' }),
    memory: option('<gb>', 'memory of a node in GB', { parse: positiveNumber, default: '64' }),
    searches: option('<n>', 'searches a second at the busiest time', { parse: positiveNumber, default: '50' }),
  },
  async run(settings) {
    const measured = readMeasured();
    const machine = { cores: settings.cores, memory: settings.memory };
    const plans = settings.passages.flatMap((passages) =>
      COMPRESSIONS.map((compression) => ({
        passages,
        compression: compression.name,
        plan: planOf(measured, {
          ...{ passages, machine, compression, searches: settings.searches },
          ...{ replicas: REPLICAS, dimensions: DIMENSIONS },
        }),
      })),
    );
    const loads = [3, 12].flatMap((nodes) =>
      BUSY.map((busy) => {
        const latency = simulateLoad({ nodes, cores: machine.cores, search: measured.search, parts: PARTS, busy });
        return { nodes, busy, latency };
      }),
    );
    const placements = PLACED.map((placed) => ({
      ...placed,
      fullest: simulatePlacement({ ...placed, replicas: REPLICAS }),
    }));
    // A result has the machine that made it; that of the plans is in the settings.
    const result = { measured, plans, loads, placements };
    return { report: scaleReport({ ...result, machine }), result: { settings, ...result } };
  },
});
