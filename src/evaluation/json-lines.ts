import { readFileSync } from 'node:fs';
import { CHECK_PERMISSIONS, isDenied, reasonOf, WaymarkError } from '../domain/errors.js';
import type { z } from '../domain/zod.js';

/** A value of a JSON Lines file. */
export interface JsonLine<Value> {
  /** Line number, from 1. */
  readonly line: number;
  /** The parsed line. */
  readonly value: Value;
}

/**
 * Reads a UTF-8 file with one JSON value per line and validates each against the schema; empty lines are skipped.
 * Schema messages complete the name of a field: `must be a non-empty string`. Throws `INVALID_ARGUMENT`, naming the
 * file and the first invalid line.
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
    // Node adds the call and the path.
    const [reason] = reasonOf(cause).split(', ');
    const message = `${file || 'A file without a name'} cannot be read (${reason})`;
    const next = isDenied(cause) ? `: ${CHECK_PERMISSIONS}.` : '. Specify a file with one JSON object per line.';
    throw new WaymarkError('INVALID_ARGUMENT', `${message}${next}`, { cause });
  }
}

/** Malformed JSON becomes `undefined`, which no schema accepts. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
