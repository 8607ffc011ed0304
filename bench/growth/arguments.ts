import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../usage-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Given extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: Given }>>['values'];

/** The options of a benchmark. Throws `UsageError`. */
export function optionsOf<const Given extends Options>(args: readonly string[], options: Given): Parsed<Given> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Node's own message goes on for several sentences.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${sentence}: --help tells the options.`);
  }
}

/** Throws `UsageError`. */
export function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`${name} must be a whole number from 1; it is ${text}.`);
}

/** `1000,10000`, in ascending order, each once. Throws `UsageError`. */
export function sizesOf(text: string): number[] {
  const sizes = text.split(',').map((size) => wholeNumber('--sizes', size.trim()));
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** Throws `UsageError`. */
export function indexKind(name: string): 'auto' | 'exact' | 'hnsw' {
  if (name === 'auto' || name === 'exact' || name === 'hnsw') return name;
  throw new UsageError(`--index must be auto, exact or hnsw; it is ${name}.`);
}
