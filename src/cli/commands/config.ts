import type { Command } from 'commander';
import { run } from '../run.js';
import { passageTokensOption, withBotFiles, withJson } from './shared-options.js';

const HELP = `
Options override the environment, and the environment overrides
.waymark/config.json.

Examples:
  waymark config
  WAYMARK_BOT=support waymark config --json`;

export function addConfigCommand(program: Command): void {
  withJson(withBotFiles(program.command('config')))
    .description('Show the settings, and where each value comes from')
    .addOption(passageTokensOption())
    .option('--refresh', 'bring all folders up to date before a search')
    .option('--no-refresh', 'do not bring folders up to date before a search')
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../actions/config.js')).config));
}
