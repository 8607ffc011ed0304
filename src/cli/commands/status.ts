import type { Command } from 'commander';
import { run } from '../run.js';
import { withEmbeddings, withJson } from './shared-options.js';

export function addStatusCommand(program: Command): void {
  withJson(withEmbeddings(program.command('status')))
    .description('Show index status: files, passages, model')
    .addHelpText('after', '\nExample:\n  waymark status --database ~/notes/.waymark/waymark.db')
    .action(run(async () => (await import('../actions/status.js')).status));
}
