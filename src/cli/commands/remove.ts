import type { Command } from 'commander';
import { run } from '../run.js';
import { withBotFiles } from './shared-options.js';

export function addRemoveCommand(program: Command): void {
  withBotFiles(program.command('remove <key>'))
    .description('Remove a file from the index')
    .addHelpText('after', '\nExample:\n  waymark remove guides/old.md')
    .action(run(async () => (await import('../actions/remove.js')).remove));
}
