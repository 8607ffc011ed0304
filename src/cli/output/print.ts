import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { printable, printableJson } from './printable.js';

/** Writes the result of a command to stdout: JSON for programs, or lines for people. */
export function print(value: unknown, { json, lines }: { json: true | undefined; lines: readonly string[] }): void {
  if (json) printJson(value, 2);
  else printLines(lines);
}

/** Writes a list to stdout, or to stderr that there is `none`. Returns the exit code. */
export function printList(
  value: unknown,
  { json, lines, none }: { json: true | undefined; lines: readonly string[]; none: string },
): number {
  print(value, { json, lines });
  if (lines.length > 0) return SUCCESS;
  say(none);
  return NO_RESULTS;
}

/** Writes JSON to stdout, in one line unless it is indented. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, indent))}\n`);
}

/** Writes lines for people to stdout. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));
}

/** Writes a line for people to stderr. */
export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}
