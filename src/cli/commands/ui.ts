import type { Command } from 'commander';
import { run } from '../run.js';
import { integer } from './option-values.js';
import { withDatabase } from './shared-options.js';

export function addUiCommand(program: Command): void {
  withDatabase(program.command('ui'))
    .description('Open the search page of the database in a browser')
    .option('--port <port>', 'port to listen on; 0 picks a free one', integer, 0)
    .option('--no-open', 'print the address only')
    .addHelpText('after', '\nExample:\n  waymark ui --database ~/notes/.waymark/waymark.db')
    .action(run(async () => (await import('../actions/ui/ui.js')).ui));
}
