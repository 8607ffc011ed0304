#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { createBotCommand, deleteBotCommand, listBotsCommand, renameBotCommand } from './bot-command.js';
import { doctorCommand } from './doctor-command.js';
import { evalCommand } from './eval-command.js';
import { exitCodeOf } from './exit-code.js';
import { indexCommand } from './index-command.js';
import {
  collect,
  collectFilter,
  collectTag,
  DATABASE,
  number,
  wholeNumber,
  withDatabase,
  withIndexOptions,
} from './options.js';
import { run } from './run.js';
import { searchCommand } from './search-command.js';
import { serveCommand } from './serve-command.js';
import { removeCommand, statusCommand } from './status-command.js';
import { createTokenCommand, listTokensCommand, revokeTokenCommand } from './token-command.js';
import { createWorkspaceCommand, listWorkspacesCommand } from './workspace-command.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const program = new Command('waymark')
  .description('Local semantic search over markdown.')
  .version(version)
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  waymark index docs                       index a folder, or bring its index up to date
  waymark search "how do I rotate keys?"   the passages that answer
  waymark search --json --limit 3 backups  for programs: the searchFiles response
  waymark eval questions.jsonl             how well questions of your own are answered
  waymark status                           what is indexed
  waymark doctor                           whether the index is sound

Exit codes: 0 results, 1 none, 2 usage, 3 not indexed, 4 failure.`,
  );

withIndexOptions(program.command('index [folder]'))
  .description('Index the markdown of a folder: new and changed files are read, gone ones removed')
  .option('--ignore <pattern>', 'leave out, as in .gitignore, which counts anyway; may be repeated', collect)
  .option('--tag <name=value>', 'give every file a tag; may be repeated', collectTag)
  .option('--reembed', 'first embed all files that are indexed anew with --model; the folder may then be left out')
  .addHelpText(
    'after',
    `
With --reembed searches go on with the old model until all is done, and a run that was stopped is taken up by the next.
It embeds what is stored, whatever folder it came from. Without --model: the model of a run that was stopped, or the
recorded one where its files have changed. Naming the model that the files have gives a stopped run up.

Examples:
  waymark index docs --ignore drafts/ --tag audience=admin
  waymark index --reembed --model Xenova/all-MiniLM-L6-v2`,
  )
  .action(run(indexCommand));

withIndexOptions(program.command('search <query...>'))
  .description('Find the passages that answer a question')
  .option('--limit <n>', 'results at most, 1 to 50 (default: 5, with --json 20)', wholeNumber)
  .option(
    '--context-depth <n>',
    'passages shown before and after each match, 0 to 10 (default: 0, with --json 1)',
    wholeNumber,
  )
  .addOption(
    new Option('--mode <mode>', 'which sides rank: meaning, words, or both (default: hybrid)').choices([
      'dense',
      'lexical',
      'hybrid',
    ]),
  )
  .option('--min-score <score>', 'leave out results with a lower score, 0 to 1', number)
  .option('--explain', 'tell of each result how its score came about')
  .option('--consolidate', 'one result a file, its matches under their headings')
  .option('--include-breadcrumb', 'with --json: begin each content with the headings above it')
  .option('--with-context', 'with --json: list the passages around each match')
  .option(
    '--tag <name=value>',
    'only files with the tag; name!=value for those without; may be repeated',
    collectFilter,
  )
  .addHelpText(
    'after',
    `
Examples:
  waymark search "restart after a crash" --context-depth 1
  waymark search -- --dry-run
  waymark search limits --tag audience=admin --tag "product!=legacy"`,
  )
  .action(run(searchCommand));

withIndexOptions(program.command('eval <questions>'))
  .description('Measure how well questions of your own are answered, from the lines that answer them')
  .addOption(
    new Option('--mode <mode>', 'only one mode (default: hybrid, compared with dense and lexical)').choices([
      'hybrid',
      'dense',
      'lexical',
    ]),
  )
  .addHelpText(
    'after',
    `
A question is a line of JSON; a file is named as in the index, lines count from 1, no gold means that there is no answer:
  {"query": "How do I rotate the keys?", "gold": [{"file": "security/keys.md", "startLine": 18, "endLine": 19}]}
  {"query": "Is there a version for phones?", "gold": []}

Example:
  waymark eval questions.jsonl`,
  )
  .action(run(evalCommand));

withIndexOptions(program.command('status'))
  .description('Tell what is indexed, with which model')
  .addHelpText('after', '\nExample:\n  waymark status --database ~/notes/.waymark/waymark.db')
  .action(run(statusCommand));

withDatabase(program.command('doctor'))
  .description('Look for all that can be wrong with an index, and say what to do')
  .option('--bot <name>', 'whose files (default: all bots)')
  .option('--repair', 'make again what can be made again: passages, postings, embeddings')
  .addHelpText('after', '\nExample:\n  waymark doctor\n  waymark doctor --repair')
  .action(run(doctorCommand));

withIndexOptions(program.command('remove <key>'))
  .description('Remove a file from the index')
  .addHelpText('after', '\nExample:\n  waymark remove guides/old.md')
  .action(run(removeCommand));

const withWorkspace = (command: Command) =>
  withDatabase(command).option('--workspace <name>', 'whose bots (default: all; new ones in "default")');

program
  .command('serve')
  .description('Answer the contract over HTTP, for all bots of the database')
  .option('--database <file>', `the index (default: ${DATABASE} here or in a folder above)`)
  .option('--model <model>', 'a model folder or hub id, for bots without files (default: the bundled one)')
  .addOption(new Option('--index <kind>', 'how vectors are searched').choices(['auto', 'exact', 'hnsw']))
  .option('--host <address>', 'where to listen', '127.0.0.1')
  .option('--port <port>', 'where to listen; 0 for any that is free', wholeNumber, 7333)
  .option('--public-url <url>', 'the address that callers use, where it is another')
  .option('--dev', 'make a workspace, a bot and a token where there are none, and print a line that asks')
  .option('--log-queries', 'log the texts of queries, too')
  .option('--upload-limit <megabytes>', 'of one file', number, 10)
  .option('--rate-limit <requests>', 'of one token in a minute', wholeNumber, 6000)
  .addHelpText('after', '\nExample:\n  waymark serve --dev')
  .action(run(serveCommand));

const bot = program.command('bot').description('Bots own files: one database holds many');
withWorkspace(bot.command('create <name>'))
  .description('Make a bot')
  .addHelpText('after', '\nExample:\n  waymark bot create support\n  waymark index faq --bot support')
  .action(run(createBotCommand));
withWorkspace(bot.command('list'))
  .description('List the bots')
  .addHelpText('after', '\nExample:\n  waymark bot list --json')
  .action(run(listBotsCommand));
withWorkspace(bot.command('rename <bot> <name>'))
  .description('Give a bot, by name or id, another name')
  .addHelpText('after', '\nExample:\n  waymark bot rename support helpdesk')
  .action(run(renameBotCommand));
withWorkspace(bot.command('delete <bot>'))
  .description('Delete a bot, by name or id, with its files')
  .addHelpText('after', '\nExample:\n  waymark bot delete support')
  .action(run(deleteBotCommand));

const workspace = program.command('workspace').description('Workspaces own bots and tokens');
withDatabase(workspace.command('create <name>'))
  .description('Make a workspace')
  .addHelpText('after', '\nExample:\n  waymark workspace create acme')
  .action(run(createWorkspaceCommand));
withDatabase(workspace.command('list'))
  .description('List the workspaces')
  .addHelpText('after', '\nExample:\n  waymark workspace list')
  .action(run(listWorkspacesCommand));

const token = program.command('token').description('Tokens say who may ask the service');
withDatabase(token.command('create <name>'))
  .description('Make a token: its text goes to stdout, once')
  .requiredOption('--workspace <name>', 'whose bots it is for')
  .addOption(
    new Option('--role <role>', 'admin: everything; member: files; search: searching')
      .choices(['admin', 'member', 'search'])
      .makeOptionMandatory(),
  )
  .option('--bot <name>', 'only this bot; may be repeated', collect)
  .option('--expires <time>', 'an ISO 8601 time after which it is good for nothing')
  .addHelpText('after', '\nExample:\n  waymark token create ci --workspace acme --role member --bot support')
  .action(run(createTokenCommand));
withDatabase(token.command('list'))
  .description('List the tokens, without their texts')
  .addHelpText('after', '\nExample:\n  waymark token list')
  .action(run(listTokensCommand));
withDatabase(token.command('revoke <id>'))
  .description('Make a token good for nothing')
  .addHelpText('after', '\nExample:\n  waymark token revoke 3f0c…')
  .action(run(revokeTokenCommand));

for (const command of [bot, workspace, token].flatMap((group) => [group, ...group.commands]).concat(program.commands))
  command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  // commander has said what is wrong already.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = exitCodeOf(error);
}
