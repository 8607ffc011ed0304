import type { Command } from 'commander';
import { run } from '../run.js';
import { collect } from './option-values.js';
import { withEmbeddings } from './shared-options.js';

const HELP = `
The file needs nothing else: it opens without a network and can be sent to
others. It holds the texts of all passages.

Examples:
  waymark map --open
  waymark map --query "how do I rotate keys?" --query backups
  waymark map --in docs/guides --output guides.html`;

export function addMapCommand(program: Command): void {
  withEmbeddings(program.command('map'))
    .description('Write a map of the passages, similar ones near each other, as one HTML file')
    .option('--output <file>', 'file to write; an existing file is replaced only if it is a map', 'map.html')
    .option('--query <query>', 'mark the 10 best passages for a query; repeatable', collect)
    .option('--in <path>', 'only this file or folder, or files that match this glob; repeatable', collect)
    .option(
      '--tag <name=value>',
      'only files with this tag; name!=value: only files without it; * stands for any value; repeatable',
      collect,
    )
    .option('--open', 'open the file in a browser')
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../actions/map/map.js')).map));
}
