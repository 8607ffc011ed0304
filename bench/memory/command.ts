import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readQuestions } from 'waymark/evaluation';
import { count, optionsIn, positive } from '../embed/arguments.js';
import { readDocuments } from '../embed/documents.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { UsageError } from '../usage-error.js';
import { memoryChart } from './chart.js';
import { measurePeak } from './peak.js';
import { type MemoryResult, report } from './report.js';
import { measureSteadiness } from './steadiness.js';

const HELP = `Usage: npm run bench -- memory [options]

Peak resident memory of indexing varied copies of corpus/ in a fresh process, and whether memory grows while files are
indexed, edited and removed and searches are asked.

  --passages <n>          for the peak (default: 50000)
  --model hash|bundled    hash (default): hashes in the place of embeddings for the main process, and the bundled model
                          over 2000 passages for its processes; bundled: the bundled model over all, 12 minutes
  --minutes <n>           of mixed work (default: 60)
  --json <file>           where the result goes, its chart beside it (default: bench/results/memory.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  passages: { type: 'string', default: '50000' },
  model: { type: 'string', default: 'hash' },
  minutes: { type: 'string', default: '60' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'memory.json') },
} as const;

/** Passages after which the processes that run the model have met texts of all lengths. */
const ENOUGH = 2000;

/** `npm run bench -- memory …` Throws `UsageError`. */
export async function memoryCommand(args: readonly string[]): Promise<void> {
  const values = optionsIn(args, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { model, json } = values;
  if (model !== 'hash' && model !== 'bundled') {
    throw new UsageError(`--model must be hash or bundled; it is ${model}.`);
  }
  const passages = count('--passages', values.passages);
  const minutes = positive('--minutes', values.minutes);
  const corpus = path.join(PACKAGE_ROOT, 'corpus');
  const documents = readDocuments(corpus);
  const queries = readQuestions(path.join(corpus, 'queries.jsonl')).map(({ text }) => text);
  const result: MemoryResult = {
    peak: await measurePeak(documents, { passages, model }),
    fifth: await measurePeak(documents, { passages: Math.ceil(passages / 5), model }),
    bundled:
      model === 'bundled'
        ? undefined
        : await measurePeak(documents, { passages: Math.min(passages, ENOUGH), model: 'bundled' }),
    steadiness: await measureSteadiness(documents, { queries, minutes }),
  };
  mkdirSync(path.dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ ...origin(new Date()), ...result }, null, 2)}\n`);
  writeFileSync(json.replace(/(\.json)?$/, '.svg'), memoryChart(result.steadiness.samples));
  process.stdout.write(report(result));
}
