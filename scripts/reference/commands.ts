import { type Command, Help, type Option } from 'commander';
import { isCommon } from '#src/cli/commands/shared-options.js';
import { createProgram } from '#src/cli/program.js';
import { table } from './table.js';

const INTRODUCTION = `# Commands

<!-- Generated from src/cli/ by "npm run docs": edit the commands, not this file. -->

The help of every command: \`waymark <command> --help\` prints the same. [The command line](../command-line.md) explains
what the commands do, and their exit codes.
`;

/** The help of every command, from the program itself. */
export function commandsPage(): string {
  const commands = leavesOf(createProgram());
  const common = new Map(
    commands
      .flatMap(optionsOf)
      .filter(isCommon)
      .map((option) => [option.flags, option]),
  );
  const sections = commands.map((command) => section(command));
  return [INTRODUCTION, '## Common options\n', optionTable([...common.values()]), ...sections].join('\n');
}

function optionsOf(command: Command): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');
}

function optionTable(options: readonly Option[]): string {
  const help = new Help();
  return table(
    ['option', 'meaning'],
    options.map((option) => [code(option), help.optionDescription(option)]),
  );
}

function code({ flags }: Option): string {
  return `\`${flags}\``;
}

/** Commands that do something, without the groups that they are in, and without those that show this help. */
function leavesOf(command: Command): Command[] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  return below.length === 0 ? [command] : below.flatMap(leavesOf);
}

function section(command: Command): string {
  const help = command.createHelp();
  const usage = help.commandUsage(command);
  const own = optionsOf(command).filter((option) => !isCommon(option));
  const common = optionsOf(command).filter(isCommon).map(code);
  return [
    `## ${usage.split(' ').slice(1).filter(isName).join(' ')}\n`,
    `${help.commandDescription(command)}.\n`,
    `    ${usage}\n`,
    ...(own.length > 0 ? [optionTable(own)] : []),
    ...(common.length > 0 ? [`Common options: ${common.join(', ')}.\n`] : []),
    ...additionOf(command).map(paragraph),
  ].join('\n');
}

function isName(word: string): boolean {
  return /^[a-z]/.test(word);
}

/** What the help has below the options, as paragraphs. */
function additionOf(command: Command): string[] {
  let printed = '';
  command
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
    })
    .outputHelp();
  const shown = printed.slice(command.helpInformation().length).trim();
  return shown === '' ? [] : shown.split('\n\n');
}

/** Examples become code. */
function paragraph(text: string): string {
  const [, title, examples = ''] = /^(Examples?:)\n(.*)$/s.exec(text) ?? [];
  if (title === undefined) return `${text}\n`;
  return `${title}\n\n${examples.replaceAll(/^ {2}/gm, '    ')}\n`;
}
