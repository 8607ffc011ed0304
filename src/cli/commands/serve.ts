import type { Command } from 'commander';
import { run } from '../run.js';
import { collect, decimal, integer } from './option-values.js';
import { indexOption, passageTokensOption, withDatabase } from './shared-options.js';

export function addServeCommand(program: Command): void {
  withDatabase(program.command('serve'))
    .description('Serve all bots of the database over HTTP')
    .option('--model <model>', 'model folder or hub id for bots without files (default: the bundled one)')
    .addOption(passageTokensOption())
    .addOption(indexOption())
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one', integer, 7333)
    .option('--public-url <url>', 'URL that callers use, if it differs from the address')
    .option('--cors-origin <origin>', 'origin whose pages may call the service; repeatable', collect)
    .option('--dev', 'create a workspace, a bot and a token if there are none, and print a sample curl command')
    .option('--no-page', 'do not serve the search page, which needs no token on this machine')
    .option('--watch', 'keep the files of all folders up to date')
    .option('--log-queries', 'include query texts in the log')
    .option('--upload-limit <megabytes>', 'maximum size of an uploaded file', decimal, 100)
    .option('--rate-limit <requests>', 'maximum requests per minute for each token', integer, 6000)
    .option('--grace <seconds>', 'seconds that running requests have to finish after a stop', decimal, 10)
    .addHelpText('after', '\nExample:\n  waymark serve --dev')
    .action(run(async () => (await import('../actions/serve/serve.js')).serve));
}
