import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { oneOf, positiveInteger, positiveNumber } from '../support/cli/option-values.js';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { corpusQueries } from '../support/corpus/questions.js';
import { CORPUS } from '../support/folders/paths.js';
import { memoryChart } from './chart.js';
import { measurePeak } from './peak.js';
import { type MemoryResult, memoryReport } from './report.js';
import { measureSteadiness } from './steadiness.js';

/** Passages after which the embedding processes have seen texts of all lengths. */
const ENOUGH = 2000;

export const memory = defineBenchmark({
  name: 'memory',
  summary: 'How much memory indexing takes, and whether memory grows during an hour of work.',
  details: `The peak is that of indexing varied copies of corpus/ in a new process. With --model hash, the main process
indexes hash vectors, and the embedding processes are measured over ${ENOUGH} passages; bundled uses the model for all
passages, which takes about 12 minutes.`,
  options: {
    passages: option('<n>', 'passages for the peak', { parse: positiveInteger, default: '50000' }),
    model: option('<name>', 'hash or bundled', { parse: oneOf('hash', 'bundled'), default: 'hash' }),
    minutes: option('<n>', 'minutes of indexing, editing, removing and searching', {
      parse: positiveNumber,
      default: '60',
    }),
  },
  async run({ passages, model, minutes }) {
    const files = readMarkdown(CORPUS);
    const result: MemoryResult = {
      peak: await measurePeak(files, { passages, model }),
      fifth: await measurePeak(files, { passages: Math.ceil(passages / 5), model }),
      bundled:
        model === 'bundled'
          ? undefined
          : await measurePeak(files, { passages: Math.min(passages, ENOUGH), model: 'bundled' }),
      steadiness: await measureSteadiness(files, { queries: corpusQueries(), minutes }),
    };
    return {
      report: memoryReport(result),
      result,
      itemPerLine: 'samples',
      chart: await memoryChart(result.steadiness.samples),
    };
  },
});
