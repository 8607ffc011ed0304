import type { Command } from 'commander';
import { run } from '../../run.js';
import { collectPattern, collectTag } from '../option-values.js';
import { withIndexing, withJson } from '../shared-options.js';

const HELP = `
A folder keeps its tags and patterns until you pass others. Without a folder,
all folders are updated: those that were indexed or added before (waymark list).

With --reembed, searches keep using the old model until every stored file has
been re-embedded, and the next run resumes an interrupted one. Without --model,
it uses the model of the interrupted run, or the recorded model if the model's
files have changed. To abandon an interrupted run, pass the model that the files
already have.

Examples:
  waymark index
  waymark index docs --ignore drafts/ --tag audience=admin
  waymark index --reembed --model Xenova/all-MiniLM-L6-v2`;

export function addIndexCommand(program: Command): void {
  withJson(withIndexing(program.command('index [folder]')))
    .description(
      'Bring a folder, or all known folders, up to date: add new files, update changed ones, remove deleted ones',
    )
    .option('--ignore <pattern>', 'files to skip, in .gitignore syntax; repeatable', collectPattern)
    .option('--tag <name=value>', 'tag every file; repeatable', collectTag)
    .option('--reset', 'forget the tags and patterns of earlier runs')
    .option('--verify', 'compare the bytes of all files, not only of files that seem to have changed')
    .option('--reembed', 're-embed all indexed files with --model first; the folder is then optional')
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../../actions/index-folder.js')).indexFolder));
}
