import { type Command, Option } from 'commander';
import { DATABASE } from '../database-path.js';
import { integer } from './option-values.js';

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON');
}

export function withDatabaseFile(command: Command): Command {
  const place = `${DATABASE} in this folder or its nearest ancestor`;
  return command.option('--database <file>', `database file (default: ${place})`);
}

export function withDatabase(command: Command): Command {
  return withDatabaseFile(command).option(
    '--cluster <hosts>',
    'Weaviate nodes that hold everything instead: http://10.0.0.1:8080,http://10.0.0.2:8080',
  );
}

export function withBotFiles(command: Command): Command {
  return withDatabase(command)
    .option('--bot <name>', 'bot to use (default: "default")')
    .option('--model <model>', 'model folder or hub id (default: the bundled waymark-docs-small-en)')
    .addOption(passageTokensOption())
    .addOption(indexOption());
}

export function passageTokensOption(): Option {
  return new Option('--passage-tokens <n>', 'maximum tokens of a passage (default: 192)').argParser(integer);
}

export function yesOption(): Option {
  return new Option('--yes', 'do not ask before deleting');
}

export function indexOption(): Option {
  return new Option('--index <kind>', 'type of vector index (default: auto)').choices(['auto', 'exact', 'hnsw']);
}
