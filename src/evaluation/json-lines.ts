import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { WaymarkError } from '../domain/errors.js';

/** An object and the line that it stands in, from 1. */
export interface JsonLine<Value> {
  readonly line: number;
  readonly value: Value;
}

/**
 * The objects of a UTF-8 file with one a line; blank lines are passed over. The schema's messages go on from a field's
 * name (`must be a text`). Throws `INVALID_ARGUMENT` with the file, and the first line that is not as it should be.
 */
export function readJsonLines<Schema extends z.ZodType>(file: string, schema: Schema): JsonLine<z.output<Schema>>[] {
  return linesOf(file).flatMap((text, i) => {
    if (text.trim() === '') return [];
    const line = i + 1;
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return [{ line, value: parsed.data }];
    const [issue] = parsed.error.issues;
    const field = issue?.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
    const place = field ? `${file} line ${line}: ${field.slice(1)}` : `${file} line ${line}`;
    throw new WaymarkError('INVALID_ARGUMENT', `${place} ${issue?.message}.`, { cause: parsed.error });
  });
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n');
  } catch (cause) {
    const message = `${file} cannot be read: give a file with one JSON object a line.`;
    throw new WaymarkError('INVALID_ARGUMENT', message, { cause });
  }
}

/** Undefined where it is no JSON: no schema takes that. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
