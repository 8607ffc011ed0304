import type { Command } from 'commander';
import { run } from '../../run.js';
import { withDatabase, withJson, yesOption } from '../shared-options.js';

const IN_WORKSPACE = 'only bots of this workspace (default: all)';

export function addBotCommands(program: Command): void {
  const bot = program.command('bot').description('Manage bots: each owns files, and one database holds many');
  withJson(withDatabase(bot.command('create <name>')))
    .description('Create a bot')
    .option('--workspace <name>', 'workspace of the bot (default: "default")')
    .addHelpText('after', '\nExamples:\n  waymark bot create support\n  waymark index faq --bot support')
    .action(run(async () => (await import('../../actions/bot.js')).createBot));
  withJson(withDatabase(bot.command('list')))
    .description('List bots')
    .option('--workspace <name>', IN_WORKSPACE)
    .addHelpText('after', '\nExample:\n  waymark bot list --json')
    .action(run(async () => (await import('../../actions/bot.js')).listBots));
  withJson(withDatabase(bot.command('rename <bot> <name>')))
    .description('Rename a bot, given by name or id')
    .option('--workspace <name>', IN_WORKSPACE)
    .addHelpText('after', '\nExample:\n  waymark bot rename support helpdesk')
    .action(run(async () => (await import('../../actions/bot.js')).renameBot));
  withJson(withDatabase(bot.command('delete <bot>')))
    .description('Delete a bot, given by name or id, and its files')
    .option('--workspace <name>', IN_WORKSPACE)
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  waymark bot delete support')
    .action(run(async () => (await import('../../actions/bot.js')).deleteBot));
}
