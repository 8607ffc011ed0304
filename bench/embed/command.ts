import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { UsageError } from '../usage-error.js';
import { count, optionsIn } from './arguments.js';
import { growthChart } from './chart.js';
import { readDocuments, writePassages } from './documents.js';
import { measureEmbed } from './embed.js';
import { report } from './report.js';
import { measureSizes } from './sizes.js';

const HELP = `Usage: npm run bench -- embed [options]

Indexes markdown with the bundled model, and gives the same texts to bare sessions of that model: how much of what the
machine can do is left when everything else is done too.

  --passages <n>     of varied copies of corpus/ (default: 5000)
  --folder <dir>     markdown of your own instead
  --rounds <n>       each is both in turn (default: 3)
  --sizes <n,n,...>  index so many passages each, too: how time and database grow
  --json <file>      where the result goes (default: bench/results/embed.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  passages: { type: 'string', default: '5000' },
  folder: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  sizes: { type: 'string' },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'embed.json') },
} as const;

/** `npm run bench -- embed …` Throws `UsageError`. */
export async function embedCommand(args: readonly string[]): Promise<void> {
  const values = optionsIn(args, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const passages = count('--passages', values.passages);
  const rounds = count('--rounds', values.rounds);
  const sizes = values.sizes?.split(',').map((size) => count('--sizes', size));
  if (values.folder !== undefined && !statSync(values.folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`No folder at ${values.folder}: give the folder of some markdown.`);
  }
  const documents = readDocuments(path.join(PACKAGE_ROOT, 'corpus'));
  const temporary = mkdtempSync(path.join(tmpdir(), 'waymark-bench-embed-'));
  try {
    if (values.folder === undefined) await writePassages(temporary, { documents, passages });
    const result = await measureEmbed(values.folder ?? temporary, { rounds });
    const growth = sizes && (await measureSizes(documents, { sizes }));
    const whole = { ...result, ...(growth && { growth }) };
    mkdirSync(path.dirname(values.json), { recursive: true });
    writeFileSync(values.json, `${JSON.stringify({ ...origin(new Date()), ...whole }, null, 2)}\n`);
    if (growth) writeFileSync(values.json.replace(/(\.json)?$/, '.svg'), growthChart(growth));
    process.stdout.write(report(whole, { cores: availableParallelism() }));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
