import type { Command } from 'commander';
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
  const common = commonOf(commands.flatMap(optionsOf), commands.length / 3);
  const sections = commands.map((command) => section(command, common));
  return [INTRODUCTION, '## Common options\n', optionTable(common), ...sections].join('\n');
}

/** An option as its help shows it: flags and description. */
type Shown = readonly [flags: string, description: string];

function optionsOf(command: Command): Shown[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return options.map((option) => [`\`${option.flags}\``, help.optionDescription(option)]);
}

/** Options that more than so many commands have, each once. */
function commonOf(options: readonly Shown[], least: number): Shown[] {
  const same = (option: Shown) => options.filter((each) => each.join() === option.join());
  return options.filter((option) => same(option).length > least && same(option)[0] === option);
}

function optionTable(options: readonly Shown[]): string {
  return table(['option', 'meaning'], options);
}

/** Commands that do something, without the groups that they are in. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function section(command: Command, common: readonly Shown[]): string {
  const help = command.createHelp();
  const usage = help.commandUsage(command);
  const isCommon = (option: Shown) => common.some((each) => each.join() === option.join());
  const own = optionsOf(command).filter((option) => !isCommon(option));
  const others = optionsOf(command)
    .filter(isCommon)
    .map(([flags]) => flags);
  return [
    `## ${usage.split(' ').slice(1).filter(isName).join(' ')}\n`,
    `${help.commandDescription(command)}.\n`,
    `    ${usage}\n`,
    ...(own.length > 0 ? [optionTable(own)] : []),
    ...(others.length > 0 ? [`Common options: ${others.join(', ')}.\n`] : []),
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
