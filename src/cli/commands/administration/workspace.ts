import type { Command } from 'commander';
import { run } from '../../run.js';
import { withDatabase, withJson, yesOption } from '../shared-options.js';

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('Manage workspaces: each owns bots and tokens');
  withJson(withDatabase(workspace.command('create <name>')))
    .description('Create a workspace')
    .addHelpText('after', '\nExample:\n  waymark workspace create acme')
    .action(run(async () => (await import('../../actions/workspace.js')).createWorkspace));
  withJson(withDatabase(workspace.command('list')))
    .description('List workspaces')
    .addHelpText('after', '\nExample:\n  waymark workspace list')
    .action(run(async () => (await import('../../actions/workspace.js')).listWorkspaces));
  withJson(withDatabase(workspace.command('rename <workspace> <name>')))
    .description('Rename a workspace, given by name or id')
    .addHelpText('after', '\nExample:\n  waymark workspace rename acme acme-docs')
    .action(run(async () => (await import('../../actions/workspace.js')).renameWorkspace));
  withJson(withDatabase(workspace.command('delete <workspace>')))
    .description('Delete a workspace, given by name or id, with its bots, their files and its tokens')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  waymark workspace delete acme')
    .action(run(async () => (await import('../../actions/workspace.js')).deleteWorkspace));
}
