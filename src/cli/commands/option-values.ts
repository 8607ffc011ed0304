import { InvalidArgumentError } from 'commander';
import type { TagFilter } from '../../index.js';

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

/**
 * Collects `--tag name=value` (files with the tag) and `name!=value` (files without it) into a filter. A repeated name
 * matches any of its values.
 */
export function collectFilter(text: string, filter: TagFilter = {}): TagFilter {
  const [, name, not, value] = /^([^=]+?)(!?)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || name === '!') {
    throw new InvalidArgumentError('Expected name=value or name!=value.');
  }
  const before = filter[name];
  if (before !== undefined && (not === '!') !== isExclusion(before)) {
    throw new InvalidArgumentError(`Use either = or != for the tag "${name}", not both.`);
  }
  const values = [...valuesOf(before), value];
  return { ...filter, [name]: not ? { not: values } : values };
}

function isExclusion(wanted: TagFilter[string]): wanted is { readonly not: string | readonly string[] } {
  return typeof wanted === 'object' && 'not' in wanted;
}

function valuesOf(wanted: TagFilter[string] | undefined): string[] {
  if (wanted === undefined) return [];
  return [isExclusion(wanted) ? wanted.not : wanted].flat();
}
