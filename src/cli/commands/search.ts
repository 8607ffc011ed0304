import { type Command, Option } from 'commander';
import { run } from '../run.js';
import { collect, collectFilter, decimal, integer } from './option-values.js';
import { withBotFiles } from './shared-options.js';

const EXAMPLES = `
Examples:
  waymark search "restart after a crash" --context-depth 1
  waymark search -- --dry-run
  waymark search "counter metric" --in docs/languages/go --in "*.mdx"
  waymark search limits --tag audience=admin --tag "product!=legacy"`;

export function addSearchCommand(program: Command): void {
  const mode = new Option('--mode <mode>', 'retrieval mode: by meaning, by words, or both (default: hybrid)');
  withBotFiles(program.command('search <query...>'))
    .description('Find the passages that answer a question')
    .option('--limit <n>', 'maximum number of results, 1 to 50 (default: 5, or 20 with --json)', integer)
    .option(
      '--context-depth <n>',
      'neighbouring passages before and after each match, 0 to 10 (default: 0, or 1 with --json)',
      integer,
    )
    .addOption(mode.choices(['dense', 'lexical', 'hybrid']))
    .option('--min-score <score>', 'omit results with a lower score, 0 to 1', decimal)
    .option('--explain', 'show the score breakdown of each result')
    .option('--consolidate', 'return one result per file, its matches under their headings')
    .option('--include-breadcrumb', 'with --json: prefix each content with its headings')
    .option('--with-context', 'with --json: list the passages around each match')
    .option(
      '--tag <name=value>',
      'only files with the tag; name!=value: without; * is any value; repeatable',
      collectFilter,
    )
    .option('--in <path>', 'only this file or folder, or files that match this glob; repeatable', collect)
    .addHelpText('after', EXAMPLES)
    .action(run(async () => (await import('../actions/search.js')).search));
}
