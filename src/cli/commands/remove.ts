import type { Command } from 'commander';
import { run } from '../run.js';
import { withBotFiles, withJson } from './shared-options.js';

export function addRemoveCommand(program: Command): void {
  withJson(withBotFiles(program.command('remove <files...>')))
    .description('Remove files, given by path or key, from the index')
    .addHelpText('after', '\nExample:\n  waymark remove docs/old.md guides/older.md')
    .action(run(async () => (await import('../actions/remove.js')).remove));
}
