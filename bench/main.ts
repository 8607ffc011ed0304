import { WaymarkError, type WaymarkErrorCode } from 'waymark';
import { embedCommand } from './embed/command.js';
import { httpCommand } from './http/command.js';
import { memoryCommand } from './memory/command.js';
import { openCommand } from './open/command.js';
import { peersCommand } from './peers/command.js';
import { qualityCommand } from './quality/command.js';
import { queryCommand } from './query/command.js';
import { updateCommand } from './update/command.js';
import { UsageError } from './usage-error.js';
import { vectorsCommand } from './vectors/command.js';

interface Benchmark {
  readonly does: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const BENCHMARKS: ReadonlyMap<string, Benchmark> = new Map([
  ['embed', { does: 'how near indexing comes to what its model can do on this machine', run: embedCommand }],
  ['http', { does: 'what the service adds to a search, and how it bears many clients at once', run: httpCommand }],
  ['memory', { does: 'how much memory indexing takes, and whether it grows over an hour of work', run: memoryCommand }],
  ['open', { does: 'what a new process takes to its first answer, by size of the index', run: openCommand }],
  [
    'peers',
    { does: 'what it costs and how well it answers, beside what is made of other libraries', run: peersCommand },
  ],
  ['quality', { does: 'how well a collection is searched: nDCG, recall, reciprocal rank, spans', run: qualityCommand }],
  ['query', { does: 'where the time of a search goes, by size of the index', run: queryCommand }],
  ['vectors', { does: 'how fast the nearest vectors are found, beside other indexes for Node', run: vectorsCommand }],
  [
    'update',
    { does: 'what it takes to keep an index up to date: unchanged, edited, replaced files', run: updateCommand },
  ],
]);

const HELP = `Usage: npm run bench -- <benchmark> [arguments]

${[...BENCHMARKS].map(([name, { does }]) => `  ${name.padEnd(10)}${does}`).join('\n')}

npm run bench -- <benchmark> --help tells its arguments.
`;

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return;
  }
  const names = [...BENCHMARKS.keys()].join(', ');
  if (name === undefined) throw new UsageError(`Name a benchmark: ${names}.`);
  const benchmark = BENCHMARKS.get(name);
  if (!benchmark) throw new UsageError(`There is no benchmark "${name}": choose one of ${names}.`);
  await benchmark.run(args);
}

/** What the caller can put right. */
const USAGE: ReadonlySet<WaymarkErrorCode> = new Set(['INVALID_ARGUMENT', 'MODEL_MISSING']);

try {
  await main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof UsageError || error instanceof WaymarkError;
  if (!known) throw error;
  process.stderr.write(`${error.message}\n`);
  const usage = error instanceof UsageError || USAGE.has(error.code);
  process.exitCode = usage ? 2 : 4;
}
