import { type Command, Option } from 'commander';
import { MODES } from '../modes.js';
import { run } from '../run.js';
import { collect, decimal, integer } from './option-values.js';
import { withIndexing } from './shared-options.js';

const EXAMPLES = `
Examples:
  waymark search "restart after a crash" --context-depth 1
  waymark search -- --dry-run
  waymark search "counter metric" --in docs/languages/go --in "*.mdx"
  waymark search limits --tag audience=admin --tag "product!=legacy"
  vim -q <(waymark search "retry a request" --format vimgrep)`;

export function addSearchCommand(program: Command): void {
  const mode = new Option('--mode <mode>', 'search by meaning and words (hybrid, default), by meaning, or by words');
  const format = new Option('--format <format>', 'how results are printed (default: text)');
  withIndexing(program.command('search [query...]'))
    .description('Find the passages that answer a question')
    .addOption(format.choices(['text', 'json', 'jsonl', 'markdown', 'vimgrep', 'files']))
    .option('--refresh', 'bring all folders up to date first')
    .option('--no-refresh', 'do not bring folders up to date first, even if the configuration says so')
    .option('--open', 'open the best result in $VISUAL or $EDITOR, at its line')
    .option('-i, --interactive', 'show results as you type; Enter opens one in $VISUAL or $EDITOR, or prints its place')
    .option(
      '--limit <n>',
      'maximum number of results, 1 to 50 (default: 20 with json, jsonl and files, otherwise 5)',
      integer,
    )
    .option(
      '--per-file <n>',
      'maximum number of results of one file (default: 1 with files, otherwise no limit)',
      integer,
    )
    .option('--group', 'list the results of one file together')
    .option(
      '--context-depth <n>',
      'neighbouring passages before and after each match, 0 to 10 (default: 1 with json and jsonl, otherwise 0)',
      integer,
    )
    .addOption(mode.choices(MODES))
    .option('--min-score <score>', 'omit results with a lower score, 0 to 1', decimal)
    .option('--explain', 'show the score breakdown of each result')
    .option('--consolidate', 'return one result per file, with its matches under their headings')
    .option('--include-breadcrumb', 'with json and jsonl: prefix each content with its headings')
    .option('--with-context', 'with json and jsonl: list the passages around each match')
    .option('--highlight', 'with json and jsonl: add the range of the best sentence of each content')
    .option(
      '--tag <name=value>',
      'only files with this tag; name!=value: only files without it; * stands for any value; repeatable',
      collect,
    )
    .option('--in <path>', 'only this file or folder, or files that match this glob; repeatable', collect)
    .addHelpText('after', EXAMPLES)
    .action(run(async () => (await import('../actions/search/search.js')).search));
}
