import { inspect } from 'node:util';
import type { z } from 'zod';
import { WaymarkError } from '../errors.js';

/**
 * A value checked against an object schema whose fields are described (`.describe('an integer from 0 to 10')`). Throws
 * `INVALID_ARGUMENT` with a sentence that names the field, what it must be and what it is.
 */
export function validate<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    refusePrototype(value);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const [field] = issue?.path ?? [];
  const description = field === undefined ? undefined : schema.shape[String(field)]?.description;
  if (description === undefined)
    throw new WaymarkError('INVALID_ARGUMENT', 'The request must be an object.', { cause: parsed.error });
  const given = (value as Record<string, unknown>)[String(field)];
  throw new WaymarkError('INVALID_ARGUMENT', `${String(field)} must be ${description}; it is ${shown(given)}.`, {
    cause: parsed.error,
  });
}

/** Zod leaves such a member out, and a filter by it would be none. */
function refusePrototype(value: unknown): void {
  for (const [field, given] of Object.entries(value as object)) {
    if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '__proto__')) continue;
    throw new WaymarkError('INVALID_ARGUMENT', `${field} cannot have a member "__proto__": choose another name.`);
  }
}

/** A value as a person would recognise it, cut where it is long. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : inspect(value, { breakLength: Number.POSITIVE_INFINITY, compact: true });
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}
