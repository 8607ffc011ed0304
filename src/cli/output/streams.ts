import { FAILURE } from '../exit-codes.js';

/**
 * Ends the process when its output cannot be written, as on a full disk; the default would be a stack trace. A reader
 * such as `head` that closes the pipe once it has seen enough is not a failure.
 */
export function endWithoutOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`The output could not be written (${message}): free some space, or write it elsewhere.\n`);
    process.exit(FAILURE);
  });
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exit(FAILURE);
  });
}
