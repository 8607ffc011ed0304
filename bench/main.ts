import { WaymarkError, type WaymarkErrorCode } from 'waymark';
import { httpCommand } from './http/command.js';
import { qualityCommand } from './quality/command.js';
import { UsageError } from './usage-error.js';

interface Benchmark {
  readonly does: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const BENCHMARKS: ReadonlyMap<string, Benchmark> = new Map([
  ['http', { does: 'what the service adds to a search, and how it bears many clients at once', run: httpCommand }],
  ['quality', { does: 'how well a collection is searched: nDCG, recall, reciprocal rank, spans', run: qualityCommand }],
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
