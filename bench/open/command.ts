import path from 'node:path';
import { indexKind, optionsOf, sizesOf, wholeNumber } from '../growth/arguments.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { writeResult } from '../report/result-file.js';
import { progressOf } from '../synthetic/progress.js';
import { measureOpen } from './open.js';
import { growthOf, openChart, openReport } from './report.js';

const HELP = `Usage: npm run bench -- open [options]

What a new process takes from openEngine to its first answer, by size of the index: synthetic passages, real questions.

  --sizes <n,n…>   passages (default: 10000,100000)
  --rounds <n>     processes for each size (default: 5)
  --index <kind>   auto, exact or hnsw (default: auto)
  --json <file>    where the result goes, its chart beside it as .svg (default: bench/results/open.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  sizes: { type: 'string', default: '10000,100000' },
  rounds: { type: 'string', default: '5' },
  index: { type: 'string', default: 'auto' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'open.json') },
} as const;

/** `npm run bench -- open …` Throws `UsageError`. */
export async function openCommand(args: readonly string[]): Promise<void> {
  const values = optionsOf(args, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const sizes = sizesOf(values.sizes);
  const rounds = wholeNumber('--rounds', values.rounds);
  const index = indexKind(values.index);
  const started = new Date();
  const results = await measureOpen({ sizes, rounds, index, onDatabase: progressOf });
  process.stdout.write(openReport(results));
  const result = { ...origin(started), settings: { sizes, rounds, index }, results, growth: growthOf(results) };
  const written = writeResult(values.json, { json: `${JSON.stringify(result, null, 2)}\n`, chart: openChart(results) });
  process.stderr.write(`Written to ${written.join(' and ')}\n`);
}
