import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { printable, printableJson } from './printable.js';
import { writeOut } from './streams.js';

/** How a result is shown: as JSON for programs, or in lines for people. */
interface Shown {
  readonly json: true | undefined;
  readonly lines: readonly string[];
}

/** Writes the result of a command to stdout. */
export function print(value: unknown, { json, lines }: Shown): void {
  if (json) printJson(value, 2);
  else printLines(lines);
}

/** Writes a result that is shown only once. Resolves to why it could not be written; undefined if it was. */
export function printOnce(value: unknown, { json, lines }: Shown): Promise<string | undefined> {
  return writeOut(json ? textOfJson(value, 2) : textOfLines(lines));
}

/** Writes a list to stdout, or the message `none` to stderr. Returns the exit code. */
export function printList(value: unknown, { json, lines, none }: Shown & { readonly none: string }): number {
  print(value, { json, lines });
  if (lines.length > 0) return SUCCESS;
  printMessage(none);
  return NO_RESULTS;
}

/** Writes JSON to stdout, in one line unless it is indented. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(textOfJson(value, indent));
}

/** Writes lines for people to stdout. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(textOfLines(lines));
}

/** Writes a line for people to stderr: a note, a warning, an error. Stdout has results only. */
export function printMessage(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

function textOfJson(value: unknown, indent?: number): string {
  return `${printableJson(JSON.stringify(value, null, indent))}\n`;
}

function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}
