import type { Command } from 'commander';
import { run } from '../run.js';
import { withDatabaseFile, withJson } from './shared-options.js';

const HELP = `
Ids, times, embeddings, access tokens and contents are copied. Nothing is
embedded again; addresses and access tokens stay valid. What the target already
has in the same state is left alone, so after an interruption, run the command
again. At the end the source and the target are asked the same questions. If
less than 98 % of the first ten passages are the same, the exit code is 4.

Without hosts, the cluster is that of WAYMARK_CLUSTER or of the configuration
file.

Examples:
  waymark copy --to-cluster http://10.0.0.1:8080,http://10.0.0.2:8080
  waymark copy --from-cluster --bot support
  waymark copy --from-cluster http://10.0.0.1:8080 --database backup.db`;

export function addCopyCommand(program: Command): void {
  withJson(withDatabaseFile(program.command('copy')))
    .description('Copy the database into a Weaviate cluster, or back')
    .option('--to-cluster [hosts]', 'copy the database into this cluster')
    .option('--from-cluster [hosts]', 'copy this cluster into the database')
    .option('--bot <name>', 'bot to copy, without tokens and signing key (default: all)')
    .option('--delete', 'for the copied bots, remove files and folders that only the target has')
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../actions/copy.js')).copy));
}
