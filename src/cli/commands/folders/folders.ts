import type { Command } from 'commander';
import { run } from '../../run.js';
import { collectPattern, collectTag } from '../option-values.js';
import { withBotFiles, withIndexing, withJson } from '../shared-options.js';

const ADD_HELP = `
A folder keeps its name, tags and patterns until you add it again with others.
Later, waymark index updates all folders. Files of two folders may have the same
name: their keys begin with the folders' names.

Examples:
  waymark add docs --name guides --tag audience=admin --ignore drafts/
  waymark add ../handbook`;

/** Adds the commands for the folders that a bot knows. */
export function addFolderCommands(program: Command): void {
  withJson(withIndexing(program.command('add <folder>')))
    .description('Add a folder of documents under a name, and index it')
    .option('--name <name>', 'first part of the keys of its files (default: the name of the folder)')
    .option('--ignore <pattern>', 'files to skip, in .gitignore syntax; repeatable', collectPattern)
    .option('--tag <name=value>', 'tag every file; repeatable', collectTag)
    .option('--reset', 'forget the earlier tags and patterns of the folder')
    .addHelpText('after', ADD_HELP)
    .action(run(async () => (await import('../../actions/folders/folders.js')).addFolder));
  withJson(withBotFiles(program.command('list')))
    .description('List the folders that waymark index updates')
    .addHelpText('after', '\nExample:\n  waymark list --json')
    .action(run(async () => (await import('../../actions/folders/folders.js')).listFolders));
  withJson(withBotFiles(program.command('drop <folder>')))
    .description('Forget a folder, given by name or path, and remove its files from the index')
    .addHelpText('after', '\nExample:\n  waymark drop guides')
    .action(run(async () => (await import('../../actions/folders/folders.js')).dropFolder));
}
