import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../usage-error.js';

/** The options of a benchmark that has no other arguments. Throws `UsageError`. */
export function optionsIn<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${name} must be a number above 0; it is ${text}.`);
}

export function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${name} must be a whole number from 1; it is ${text}.`);
}
