import { FAILURE } from '../exit-codes.js';

/** Whether a failure to write to stdout is returned by `writeOut` and does not end the process. */
let isAwaited = false;

/**
 * Ends the process when its output cannot be written, as on a full disk; the default would be a stack trace. A reader
 * such as `head` that closes the pipe once it has seen enough is not a failure.
 */
export function endWithoutOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isAwaited) return;
    process.stderr.write(`The output could not be written (${message}): free some space, or write it elsewhere.\n`);
    process.exit(FAILURE);
  });
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exit(FAILURE);
  });
}

/** Writes to stdout what must not be lost. Resolves to why it could not be written; undefined if it was. */
export async function writeOut(text: string): Promise<string | undefined> {
  isAwaited = true;
  try {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
    isAwaited = false;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
