import type { Command } from 'commander';
import { run } from '../run.js';
import { withDatabase, withJson } from './shared-options.js';

export function addDoctorCommand(program: Command): void {
  withJson(withDatabase(program.command('doctor')))
    .description('Check the index for damage, and repair it with --repair')
    .option('--bot <name>', 'bot to check (default: all)')
    .option('--repair', 'rebuild what can be rebuilt: passages, postings, embeddings')
    .addHelpText('after', '\nExamples:\n  waymark doctor\n  waymark doctor --repair')
    .action(run(async () => (await import('../actions/doctor.js')).doctor));
}
