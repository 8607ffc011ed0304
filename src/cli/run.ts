import { exitCodeOfError } from './exit-code-of-error.js';
import { say } from './output/print.js';

/** Runs a command and resolves to its exit code. */
export type Action<Arguments extends unknown[]> = (...given: Arguments) => Promise<number>;

/**
 * A handler for commander that loads the action only when its command is called. It sets the process's exit code; an
 * error of the action becomes one line on stderr. Throws if the action cannot be loaded.
 */
export function run<Arguments extends unknown[]>(
  load: () => Promise<Action<Arguments>>,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    const action = await load();
    try {
      process.exitCode = await action(...given);
    } catch (error) {
      say(messageOf(error));
      process.exitCode = exitCodeOfError(error);
    }
  };
}

/** What to tell a person about an error, in one sentence. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isWithoutFolder = (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
  return isWithoutFolder ? 'The working folder no longer exists: change to another one and try again.' : error.message;
}
