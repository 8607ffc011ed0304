import { Command, Option } from 'commander';
import { addBotCommands } from './commands/administration/bot.js';
import { addTokenCommands } from './commands/administration/token.js';
import { addWorkspaceCommands } from './commands/administration/workspace.js';
import { addCompletionCommand } from './commands/completion.js';
import { addConfigCommand } from './commands/config.js';
import { addCopyCommand } from './commands/copy.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addEvalCommand } from './commands/eval.js';
import { addFolderCommands } from './commands/folders/folders.js';
import { addIndexCommand } from './commands/folders/index-folder.js';
import { addWatchCommand } from './commands/folders/watch.js';
import { addGetCommand } from './commands/get.js';
import { addMapCommand } from './commands/map.js';
import { addMcpCommand } from './commands/mcp.js';
import { addRemoveCommand } from './commands/remove.js';
import { addSearchCommand } from './commands/search.js';
import { addServeCommand } from './commands/serve.js';
import { isCommon } from './commands/shared-options.js';
import { addStatusCommand } from './commands/status.js';
import { addUiCommand } from './commands/ui.js';
import { addHelpCommands } from './help-command.js';
import { printable } from './output/printable.js';
import { usageError } from './output/usage-error.js';
import { packageVersion } from './version.js';

const EXAMPLES = `
Examples:
  waymark index docs                       index a folder, or update its index
  waymark add ../handbook                  add another folder, under its name
  waymark index                            update all folders
  waymark search "how do I rotate keys?"   find the passages that answer
  waymark search backups --format json     print them for programs
  waymark get docs/keys.md:5-6             print lines of an indexed file
  waymark map --open                       draw the passages by their meaning
  waymark eval questions.jsonl             measure with your own questions
  waymark ui                               open the search page in a browser
  waymark status                           show what is indexed
  waymark doctor                           check the index for damage
  waymark copy --to-cluster http://a:8080  copy the index into a cluster

Exit codes: 0 success, 1 no results, 2 usage error, 3 not indexed, 4 failure.`;

/** The narrowest column of descriptions that is wrapped; the terminal breaks the lines of narrower ones. */
const NARROWEST = 20;

/** The whole command line. Actions are loaded when they run, so that help and version start without them. */
export function createProgram(): Command {
  const program = new Command('waymark')
    .description('Local semantic search over markdown.')
    .version(packageVersion())
    .addHelpText('after', EXAMPLES)
    // Before the commands are added: they inherit these.
    .configureHelp({ groupItems: commonLast, minWidthToWrap: NARROWEST })
    .configureOutput({ writeErr: (text) => process.stderr.write(text.split('\n').map(printable).join('\n')) })
    .exitOverride();
  addIndexCommand(program);
  addFolderCommands(program);
  addWatchCommand(program);
  addSearchCommand(program);
  addGetCommand(program);
  addMapCommand(program);
  addEvalCommand(program);
  addStatusCommand(program);
  addConfigCommand(program);
  addDoctorCommand(program);
  addRemoveCommand(program);
  addCopyCommand(program);
  addMcpCommand(program);
  addServeCommand(program);
  addUiCommand(program);
  addBotCommands(program);
  addWorkspaceCommands(program);
  addTokenCommands(program);
  addCompletionCommand(program);
  addHelpCommands(program);
  explainErrors(program);
  return program;
}

/** The groups of a help with the common options last: a command's own are what its help is read for. */
function commonLast<T extends Command | Option>(_: T[], shown: T[], groupOf: (item: T) => string): Map<string, T[]> {
  const isLast = (item: T) => item instanceof Option && isCommon(item);
  const groups = new Map<string, T[]>();
  for (const item of [...shown.filter((item) => !isLast(item)), ...shown.filter(isLast)]) {
    const group = groupOf(item);
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  return groups;
}

/** Makes each command say what to do about wrong usage. */
function explainErrors(command: Command): void {
  command.configureOutput({ outputError: (text, write) => write(usageError(text, command)) });
  for (const each of command.commands) explainErrors(each);
}
