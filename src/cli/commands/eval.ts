import { type Command, Option } from 'commander';
import { MODES } from '../modes.js';
import { run } from '../run.js';
import { withEmbeddings, withJson } from './shared-options.js';

const HELP = `
Each question is one line of JSON, and its gold lists the lines that answer it.
Files are named as in the index; lines count from 1. An empty list means that
the question has no answer:
  {"query": "new key", "gold": [{"file": "a.md", "startLine": 8, "endLine": 9}]}
  {"query": "Is there a version for phones?", "gold": []}

Example:
  waymark eval questions.jsonl`;

export function addEvalCommand(program: Command): void {
  const mode = new Option('--mode <mode>', 'evaluate one mode (default: hybrid, compared with dense and lexical)');
  withJson(withEmbeddings(program.command('eval <questions>')))
    .description('Measure search quality with your own questions and the lines that answer them')
    .addOption(mode.choices(MODES))
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../actions/eval/eval.js')).evaluate));
}
