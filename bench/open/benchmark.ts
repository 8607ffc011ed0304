import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { oneOf, positiveInteger, sizes } from '../support/cli/option-values.js';
import { openChart } from './chart.js';
import { measureOpen } from './measure.js';
import { growthOf, openReport } from './report.js';

export const open = defineBenchmark({
  name: 'open',
  summary: 'The time of a new process from openEngine to its first answer, by size of the index.',
  details: 'Synthetic passages, real questions.',
  options: {
    sizes: option('<n,...>', 'passages', { parse: sizes, default: '10000,100000' }),
    rounds: option('<n>', 'processes per size', { parse: positiveInteger, default: '5' }),
    index: option('<kind>', 'auto, exact or hnsw', { parse: oneOf('auto', 'exact', 'hnsw'), default: 'auto' }),
  },
  async run(settings) {
    const results = await measureOpen(settings);
    return {
      report: openReport(results),
      result: { settings, results, growth: growthOf(results) },
      chart: await openChart(results),
    };
  },
});
