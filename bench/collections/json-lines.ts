import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../usage-error.js';

/** The objects of a file with one a line; throws `UsageError` that names the first line that is not as it should be. */
export function readJsonLines<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema>[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const parsed = schema.safeParse(parseJson(line));
    if (parsed.success) return [parsed.data];
    const [problem] = z.prettifyError(parsed.error).split('\n');
    throw new UsageError(`${file} line ${i + 1} is not as it should be: ${problem}.`);
  });
}

/** Undefined where it is no JSON: no schema takes that. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
