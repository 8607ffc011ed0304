import path from 'node:path';
import { indexKind, optionsOf, sizesOf, wholeNumber } from '../growth/arguments.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { writeResult } from '../report/result-file.js';
import { progressOf } from '../synthetic/progress.js';
import { measureQuery } from './query.js';
import { growthOf, queryChart, queryReport } from './report.js';

const HELP = `Usage: npm run bench -- query [options]

Where the time of a search goes, by size of the index: synthetic passages, real questions, each embedded anew.

  --sizes <n,n…>   passages (default: 1000,10000,100000)
  --queries <n>    queries that are timed, for each size (default: 200)
  --index <kind>   auto, exact or hnsw (default: auto)
  --json <file>    where the result goes, its chart beside it as .svg (default: bench/results/query.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  sizes: { type: 'string', default: '1000,10000,100000' },
  queries: { type: 'string', default: '200' },
  index: { type: 'string', default: 'auto' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'query.json') },
} as const;

/** `npm run bench -- query …` Throws `UsageError`. */
export async function queryCommand(args: readonly string[]): Promise<void> {
  const values = optionsOf(args, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const sizes = sizesOf(values.sizes);
  const queries = wholeNumber('--queries', values.queries);
  const index = indexKind(values.index);
  const started = new Date();
  const results = await measureQuery({ sizes, queries, index, onDatabase: progressOf });
  process.stdout.write(queryReport(results));
  const result = { ...origin(started), settings: { sizes, queries, index }, results, growth: growthOf(results) };
  const written = writeResult(values.json, {
    json: `${JSON.stringify(result, null, 2)}\n`,
    chart: queryChart(results),
  });
  process.stderr.write(`Written to ${written.join(' and ')}\n`);
}
