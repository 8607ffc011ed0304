import { createInterface } from 'node:readline';
import { WaymarkError } from '../../index.js';
import { printMessage } from '../output/print.js';
import { printable } from '../output/printable.js';

/** Options of the commands that delete. */
export interface DeletionOptions {
  readonly yes?: true;
}

/** Asks whether to delete something, unless `yes`. Throws `INVALID_ARGUMENT` where nobody can be asked. */
export async function confirmsDeletion(what: string, { yes }: DeletionOptions): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    throw new WaymarkError('INVALID_ARGUMENT', `Nothing was deleted: add --yes to delete ${what}.`);
  }
  const answer = await ask(printable(`Delete ${what}? [y/N] `));
  if (/^y(es)?$/i.test(answer.trim())) return true;
  printMessage('Nothing was deleted.');
  return false;
}

/** A line from the terminal; empty for its end, and for Ctrl-C. */
function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(''));
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}
