import type { Command } from 'commander';

/** Fields of requests whose options have another name. */
const OPTIONS: Readonly<Record<string, string>> = { tags: 'tag', path: 'in' };

/**
 * A sentence about a field of a request, with the options that were given in place of the fields: `--per-file must be
 * …`. What has another beginning stays: it is about a setting, an argument or something else.
 */
export function withOptionNames(sentence: string, command: Command): string {
  const nameOf = (field: string) => {
    const attribute = OPTIONS[field] ?? field;
    if (command.getOptionValueSource(attribute) !== 'cli') return field;
    return command.options.find((option) => option.attributeName() === attribute)?.long ?? field;
  };
  // Values follow: they are shown as they are.
  const [, field = '', rule = '', value = ''] = /^(\w+)( [^;:"]*)(.*)$/s.exec(sentence) ?? [];
  const name = nameOf(field);
  return name === field ? sentence : `${name}${rule.replace(/\w+/g, nameOf)}${value}`;
}
