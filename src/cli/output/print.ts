/** Writes the result of a command to stdout: JSON for programs, or lines for people. */
export function print(value: unknown, { json, lines }: { json: true | undefined; lines: readonly string[] }): void {
  if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
