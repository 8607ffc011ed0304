import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { positiveInteger, positiveNumber } from '../support/cli/option-values.js';
import { corpusQueries } from '../support/corpus/questions.js';
import { CORPUS } from '../support/folders/paths.js';
import { measureHttp } from './measure.js';
import { httpReport } from './report.js';

export const http = defineBenchmark({
  name: 'http',
  summary: 'What the service adds to a search, and how it serves many clients at once.',
  details: `Starts waymark serve over corpus/ and asks its questions: one at a time, in process and over HTTP in turn,
then from many clients at once.`,
  options: {
    clients: option('<n>', 'concurrent clients', { parse: positiveInteger, default: '50' }),
    seconds: option('<n>', 'seconds of load', { parse: positiveNumber, default: '60' }),
  },
  async run({ clients, seconds }) {
    const result = await measureHttp({ folder: CORPUS, queries: corpusQueries(), clients, seconds });
    return { report: httpReport(result), result };
  },
});
