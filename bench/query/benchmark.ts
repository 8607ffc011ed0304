import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { oneOf, positiveInteger, sizes } from '../support/cli/option-values.js';
import { queryChart } from './chart.js';
import { measureQuery } from './measure.js';
import { growthOf, queryReport } from './report.js';

export const query = defineBenchmark({
  name: 'query',
  summary: 'Where the time of a search goes, by size of the index.',
  details: 'Synthetic passages, real questions; every query is new to the cache of embeddings.',
  options: {
    sizes: option('<n,...>', 'passages', { parse: sizes, default: '1000,10000,100000' }),
    queries: option('<n>', 'timed queries per size', { parse: positiveInteger, default: '200' }),
    index: option('<kind>', 'auto, exact or hnsw', { parse: oneOf('auto', 'exact', 'hnsw'), default: 'auto' }),
  },
  async run(settings) {
    const results = await measureQuery(settings);
    return {
      report: queryReport(results),
      result: { settings, results, growth: growthOf(results) },
      chart: await queryChart(results),
    };
  },
});
