import type { Command } from 'commander';
import { run } from '../run.js';
import { integer } from './option-values.js';
import { withBotFiles, withJson } from './shared-options.js';

const EXAMPLES = `
Examples:
  waymark get docs/keys.md
  waymark get docs/keys.md:5-6 --context-depth 1
  waymark get docs/keys.md:40-`;

export function addGetCommand(program: Command): void {
  withJson(withBotFiles(program.command('get <path[:lines]>')))
    .description('Print an indexed file, or lines of it; the path is as waymark search prints it, or a key')
    .option(
      '--context-depth <n>',
      'passages to print before and after those that contain the lines, 0 to 10 (default: only the lines)',
      integer,
    )
    .addHelpText('after', EXAMPLES)
    .action(run(async () => (await import('../actions/get/get.js')).get));
}
