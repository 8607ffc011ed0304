import { Command, CommanderError } from 'commander';
import { WaymarkError, type WaymarkErrorCode } from 'waymark';
import { cluster } from './cluster/benchmark.js';
import { embed } from './embed/benchmark.js';
import { http } from './http/benchmark.js';
import { memory } from './memory/benchmark.js';
import { open } from './open/benchmark.js';
import { passages } from './passages/benchmark.js';
import { peers } from './peers/benchmark.js';
import { quality } from './quality/benchmark.js';
import { query } from './query/benchmark.js';
import { commandOf } from './support/cli/benchmark.js';
import { UsageError } from './support/cli/usage-error.js';
import { update } from './update/benchmark.js';
import { vectors } from './vectors/benchmark.js';

/** Codes of errors that the caller can correct. */
const USAGE: ReadonlySet<WaymarkErrorCode> = new Set(['INVALID_ARGUMENT', 'MODEL_MISSING']);

const commands = [
  commandOf(cluster),
  commandOf(embed),
  commandOf(http),
  commandOf(memory),
  commandOf(open),
  commandOf(passages),
  commandOf(peers),
  commandOf(quality),
  commandOf(query),
  commandOf(update),
  commandOf(vectors),
];

const program = new Command('npm run bench --').description('Benchmarks of Waymark; see docs/benchmarks.md.');
for (const command of commands) program.addCommand(command.exitOverride());

try {
  await program.exitOverride().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** 2 for wrong arguments, 4 for a failure of Waymark. */
function exitCodeOf(error: unknown): number {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof UsageError || error instanceof WaymarkError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return error instanceof UsageError || USAGE.has(error.code) ? 2 : 4;
}
