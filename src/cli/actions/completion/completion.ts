import type { Command } from 'commander';
import { SUCCESS } from '../../exit-codes.js';
import { bashScript, zshScript } from './bash.js';
import { fishScript } from './fish.js';
import { wordsOf } from './words.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `waymark completion <shell>` */
export async function completion(shell: string, program: Command): Promise<number> {
  process.stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS](wordsOf(program)));
  return SUCCESS;
}
