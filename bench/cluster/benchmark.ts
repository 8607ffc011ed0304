import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { positiveInteger, sizes } from '../support/cli/option-values.js';
import { measureCluster } from './measure.js';
import { clusterReport } from './report.js';

export const cluster = defineBenchmark({
  name: 'cluster',
  summary: 'A Weaviate cluster of three nodes beside the embedded engine.',
  details:
    'The nodes run on this machine, which all share; Go builds the server the first time. 100,000 passages take ' +
    'about 15 minutes on two cores.',
  options: {
    sizes: option('<n,...>', 'passages', { parse: sizes, default: '10000,100000' }),
    clients: option('<n,...>', 'clients that search at once', { parse: sizes, default: '1,8,32' }),
    queries: option('<n>', 'timed searches of each kind', { parse: positiveInteger, default: '400' }),
    embedded: option('<n>', 'passages embedded with the model', { parse: positiveInteger, default: '1000' }),
  },
  async run(settings) {
    const results = await measureCluster(settings);
    return { report: clusterReport(results), result: { settings, results } };
  },
});
