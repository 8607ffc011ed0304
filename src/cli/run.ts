import { exitCodeOf } from './exit-code.js';

/** A command as commander calls it: its exit code is set, its failure is one line on stderr. */
export function run<Arguments extends unknown[]>(
  command: (...given: Arguments) => Promise<number>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    // A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    try {
      process.exitCode = await command(...given);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = exitCodeOf(error);
    }
  };
}
