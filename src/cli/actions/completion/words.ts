import type { Command } from 'commander';

/** A word that may be typed, and what it does. */
export interface Word {
  readonly name: string;
  readonly description: string;
}

/** An option, with its values if it takes one; an empty list stands for any value. */
export interface OptionWord extends Word {
  readonly values: readonly string[] | undefined;
}

/** What may be typed after a command. */
export interface CommandWords {
  /** Names up to it, without that of the program. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  /** Values of its argument, if there are only some. */
  readonly values: readonly string[];
}

/** What may be typed after a command and each command below. */
export function wordsOf(command: Command, path: readonly string[] = []): CommandWords[] {
  const help = { name: '--help', description: 'display help for command', values: undefined };
  const options = command.options.flatMap(({ long, required, optional, argChoices, description }) =>
    long ? [{ name: long, description, values: required || optional ? (argChoices ?? []) : undefined }] : [],
  );
  const words = {
    path,
    commands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    options: [...options, help],
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [words, ...command.commands.flatMap((each) => wordsOf(each, [...path, each.name()]))];
}
