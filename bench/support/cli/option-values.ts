import { statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

// Each reads the text of an option and throws `InvalidArgumentError`; commander puts the option and the text before it.

export function positiveInteger(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** `10000,1000` → `[1000, 10000]`: ascending, without duplicates. */
export function sizes(text: string): readonly number[] {
  const numbers = text.split(',').map((size) => size.trim());
  if (!numbers.every((size) => /^[1-9]\d*$/.test(size))) {
    throw new InvalidArgumentError('It must be a comma-separated list of positive integers.');
  }
  return [...new Set(numbers.map(Number))].sort((a, b) => a - b);
}

export function oneOf<const Name extends string>(...names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((one) => one === text);
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`);
  };
}

/** `all`, `none`, or a comma-separated list of some of the names. */
export function someOf(names: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    if (text === 'all') return names;
    if (text === 'none') return [];
    const chosen = text.split(',');
    if (chosen.every((name) => names.includes(name))) return chosen;
    throw new InvalidArgumentError(`It must be all, none, or some of ${names.join(',')}.`);
  };
}

export function existingFolder(text: string): string {
  if (statSync(text, { throwIfNoEntry: false })?.isDirectory()) return text;
  throw new InvalidArgumentError('There is no such folder.');
}

export function text(given: string): string {
  return given;
}
