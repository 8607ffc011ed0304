import type { CommandWords } from './words.js';

/** Completion for fish. What it does not know is completed as the path of a file. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, commands: below, options, values }) => {
    const condition = conditionOf(path, [...below.map(({ name }) => name), ...groupsWith(path, commands)]);
    return [
      ...below.map(({ name, description }) => `${condition} -f -a ${name} -d ${quoted(description)}`),
      ...values.map((value) => `${condition} -f -a ${value}`),
      ...options.map(({ name, description, values }) => {
        const value = values === undefined ? '' : values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ' -r';
        return `${condition} -l ${name.replace('--', '')}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of waymark for fish, by "waymark completion fish".\n${lines.join('\n')}\n`;
}

/** The commands that have one of the same name below them: `bot` and others for `list`. */
function groupsWith([name, ...more]: readonly string[], commands: readonly CommandWords[]): string[] {
  if (more.length > 0) return [];
  const groups = commands.filter(
    ({ path, commands }) => path.length === 1 && commands.some((one) => one.name === name),
  );
  return groups.flatMap(({ path }) => path);
}

/** Where a command was typed, and none of some others. */
function conditionOf(path: readonly string[], others: readonly string[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const none = others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(' ')}`] : [];
  return `complete -c waymark -n '${[...seen, ...none].join('; and ')}'`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
