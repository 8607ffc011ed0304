import { type Command, Option } from 'commander';
import { DATABASE } from '../database-path.js';
import { integer } from './option-values.js';

const COMMON = 'Common options:';

export function withJson(command: Command): Command {
  return command.addOption(common('--json', 'print JSON'));
}

export function withDatabaseFile(command: Command): Command {
  const place = `${DATABASE} in this folder or the nearest one above that has it`;
  return command.addOption(common('--database <file>', `database file (default: ${place})`));
}

export function withDatabase(command: Command): Command {
  return withDatabaseFile(command).addOption(
    common(
      '--cluster <hosts>',
      'Weaviate nodes to use instead of a database file: http://10.0.0.1:8080,http://10.0.0.2:8080',
    ),
  );
}

/** For commands that read or change the files of a bot. */
export function withBotFiles(command: Command): Command {
  return withDatabase(command)
    .addOption(common('--bot <name>', 'bot to use (default: "default")'))
    .addOption(common('--model <model>', 'model folder or hub id (default: the bundled waymark-docs-small-en)'));
}

/** For commands that also search the files by meaning. */
export function withEmbeddings(command: Command): Command {
  return withBotFiles(command).addOption(indexOption());
}

/** For commands that also cut files into passages, and embed them. */
export function withIndexing(command: Command): Command {
  return withBotFiles(command).addOption(passageTokensOption()).addOption(indexOption());
}

export function passageTokensOption(): Option {
  return common('--passage-tokens <n>', 'maximum tokens of a passage (default: 192)').argParser(integer);
}

export function yesOption(): Option {
  return new Option('--yes', 'do not ask before deleting');
}

export function indexOption(): Option {
  return common('--index <kind>', 'type of vector index (default: auto)').choices(['auto', 'exact', 'hnsw']);
}

/** Whether an option is one that several commands have; their help shows it below those of its own. */
export function isCommon({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading === COMMON;
}

function common(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(COMMON);
}
