import type { Command } from 'commander';

/**
 * Gives a command, and each below it that has commands, the command `help`, and refuses `--help` after an unknown name:
 * commander's own print the whole help for one, without a reason.
 */
export function addHelpCommands(command: Command): void {
  if (command.commands.length === 0) return;
  for (const each of command.commands) addHelpCommands(each);
  command
    .command('help [command...]')
    .description('Show the help of a command')
    .action((names: readonly string[]) => showHelp(command, names));
  command.on('beforeHelp', () => refuseUnknown(command));
}

/** Reports the name that a command was called with, if it has no such command. */
function refuseUnknown(command: Command): void {
  const [name = '--help'] = command.args;
  if (name.startsWith('-') || command.commands.some((each) => each.name() === name)) return;
  command.parse([name], { from: 'user' });
}

/** Shows the help of the command that the names lead to. */
async function showHelp(command: Command, [name, ...further]: readonly string[]): Promise<void> {
  if (name === undefined) return command.help();
  const named = command.commands.find((each) => each.name() === name);
  if (named) return showHelp(named, further);
  if (command.commands.length === 0) return command.help();
  // Reports an unknown command.
  await command.parseAsync([name], { from: 'user' });
}
