import type { CommandWords } from './words.js';

/** Completion for fish. What it does not know is completed as the path of a file. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, commands, options, values }) => {
    const condition = conditionOf(
      path,
      commands.map(({ name }) => name),
    );
    return [
      ...commands.map(({ name, description }) => `${condition} -f -a ${name} -d ${quoted(description)}`),
      ...values.map((value) => `${condition} -f -a ${value}`),
      ...options.map(({ name, description, values }) => {
        const value = values === undefined ? '' : values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ' -r';
        return `${condition} -l ${name.replace('--', '')}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of waymark for fish, by "waymark completion fish".\n${lines.join('\n')}\n`;
}

/** Where a command was typed, and none below it. */
function conditionOf(path: readonly string[], below: readonly string[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const none = below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : [];
  return `complete -c waymark -n '${[...seen, ...none].join('; and ')}'`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
