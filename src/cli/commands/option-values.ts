import { InvalidArgumentError } from 'commander';

/** Parses an integer. Returns anything else unchanged, for the engine to reject with its own message. */
export function integer(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

/** Parses a decimal number. Returns anything else unchanged, for the engine to reject with its own message. */
export function decimal(text: string): number {
  return /^-?\d*\.?\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Collects `--tag name=value` into the tags of files; the last value of a name wins. */
export function collectTag(text: string, tags: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected name=value.');
  return { ...tags, [name]: value };
}

/** Conditions on tags as they are collected. */
type Collected = Readonly<Record<string, { in?: readonly string[]; not?: readonly string[]; exists?: boolean }>>;

/**
 * Collects `--tag name=value` (the tag has the value) and `name!=value` (it has another, or the file lacks the tag)
 * into a filter; a repeated name matches any of its values. `name=*` and `name!=*`: the file has the tag, or lacks it.
 */
export function collectFilter(text: string, filter: Collected = {}): Collected {
  const [, name, not, value] = /^([^=]+?)(!?)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || name === '!') {
    throw new InvalidArgumentError('Expected name=value or name!=value.');
  }
  const before = filter[name] ?? {};
  if (value === '*') return { ...filter, [name]: { ...before, exists: not === '' } };
  const operator = not ? 'not' : 'in';
  return { ...filter, [name]: { ...before, [operator]: [...(before[operator] ?? []), value] } };
}
