import type { Command } from 'commander';
import { printable } from './printable.js';

/** The message of commander about wrong usage, as one sentence, with the next step. */
export function usageError(text: string, command: Command): string {
  const plain = text
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/s, '$1 is not a valid $2')
    .trimEnd();
  // What was typed may have several lines, too.
  const [, given = '', suggestion] = /^(.*?)(?:\n\(([^\n]*)\))?$/s.exec(plain) ?? [];
  const problem = printable(given);
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.');
  const path = pathOf(command);
  const hint = suggestion ? ` ${suggestion}` : '';
  const usage = problem.startsWith('missing') ? ` Usage: ${path} ${command.usage()}.` : '';
  // Other commands have it.
  const isJson = problem.includes("'--json'") && command.options.some(({ long }) => long === '--format');
  const json = isJson ? ' Use --format json.' : '';
  const [, unknown] = /^unknown option '([^'=]+)/.exec(problem) ?? [];
  const below = isBelow(command, unknown) ? ' Pass it after the name of the command.' : '';
  const isOption = unknown !== undefined && command.registeredArguments.length > 0;
  const isCutting = problem.includes("'--passage-tokens'");
  const cutting = isCutting ? ' Pass it to waymark index, which cuts the files into passages.' : '';
  const dash = isOption && !isJson && !isCutting ? ' An argument that begins with a dash follows --.' : '';
  const search = /^unknown command '.*\s/.test(problem) ? ' To ask a question, put search before it.' : '';
  return `${sentence}${hint}${usage}${json}${cutting}${below}${dash}${search} See: ${path} --help\n`;
}

/** Whether a command that belongs to this one has the option. */
function isBelow({ commands }: Command, option: string | undefined): boolean {
  const has = ({ options }: Command) => options.some(({ short, long }) => option === short || option === long);
  return option !== undefined && commands.some(has);
}

/** `waymark bot create` */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
