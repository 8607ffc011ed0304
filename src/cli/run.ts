/** Runs a command and resolves to its exit code. */
export type Action<Arguments extends unknown[]> = (...given: Arguments) => Promise<number>;

/**
 * A handler for commander that loads the action only when its command is called. It sets the process's exit code; an
 * error becomes one line on stderr.
 */
export function run<Arguments extends unknown[]>(
  load: () => Promise<Action<Arguments>>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    // A reader such as `head` closes the pipe once it has seen enough: that is not a failure.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    try {
      const action = await load();
      process.exitCode = await action(...given);
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      const { exitCodeOfError } = await import('./exit-code-of-error.js');
      process.exitCode = exitCodeOfError(error);
    }
  };
}
