import { type Command, Option } from 'commander';
import { run } from '../../run.js';
import { collect } from '../option-values.js';
import { withDatabase, withJson } from '../shared-options.js';

export function addTokenCommands(program: Command): void {
  const role = new Option(
    '--role <role>',
    'permissions: admin (everything), member (files), search (search and read files)',
  );
  const token = program.command('token').description('Manage access tokens of the HTTP service');
  withJson(withDatabase(token.command('create <name>')))
    .description('Create a token and print it to stdout, once')
    .requiredOption('--workspace <name>', 'workspace that the token gives access to')
    .addOption(role.choices(['admin', 'member', 'search']).makeOptionMandatory())
    .option('--bot <name>', 'limit the token to this bot; repeatable', collect)
    .option('--expires <time>', 'expiry as an ISO 8601 time (default: never)')
    .addHelpText('after', '\nExample:\n  waymark token create ci --workspace acme --role member --bot support')
    .action(run(async () => (await import('../../actions/token.js')).createToken));
  withJson(withDatabase(token.command('list')))
    .description('List tokens, without their secrets')
    .addHelpText('after', '\nExample:\n  waymark token list')
    .action(run(async () => (await import('../../actions/token.js')).listTokens));
  withJson(withDatabase(token.command('revoke <id>')))
    .description('Revoke a token')
    .addHelpText('after', '\nExample:\n  waymark token revoke 3f0c…')
    .action(run(async () => (await import('../../actions/token.js')).revokeToken));
}
