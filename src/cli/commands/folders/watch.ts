import type { Command } from 'commander';
import { run } from '../../run.js';
import { withIndexing, withJson } from '../shared-options.js';

const HELP = `
Updates all folders (waymark list), then every file as it is saved, until
Ctrl-C. Folders that are added meanwhile are watched as well.

Examples:
  waymark watch
  waymark watch --bot support`;

export function addWatchCommand(program: Command): void {
  withJson(withIndexing(program.command('watch')))
    .description('Keep the index up to date while files change')
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../../actions/folders/watch.js')).watch));
}
