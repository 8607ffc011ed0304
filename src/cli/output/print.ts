import { printable, printableJson } from './printable.js';

/** Writes the result of a command to stdout: JSON for programs, or lines for people. */
export function print(value: unknown, { json, lines }: { json: true | undefined; lines: readonly string[] }): void {
  if (json) printJson(value, 2);
  else printLines(lines);
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
