import { InvalidArgumentError } from 'commander';

/** Parses an integer. Returns anything else unchanged, for the engine to reject with its own message. */
export function integer(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : (text as unknown as number);
}

/** Parses a decimal number. Returns anything else unchanged, for the engine to reject with its own message. */
export function decimal(text: string): number {
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : (text as unknown as number);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Collects the values of `--ignore`. An empty one would leave out nothing, and be kept. */
export function collectPattern(text: string, before: readonly string[] = []): string[] {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a pattern, such as drafts/.');
  return [...before, text];
}

/** Collects `--tag name=value` into the tags of files; the last value of a name wins. */
export function collectTag(text: string, tags: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected name=value.');
  return { ...tags, [name]: value };
}
