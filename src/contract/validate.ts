import { inspect } from 'node:util';
import type { z } from 'zod';
import { WaymarkError } from '../domain/errors.js';

/**
 * A value checked against an object schema whose fields are described (`.describe('an integer from 0 to 10')`). Throws
 * `INVALID_ARGUMENT` with a sentence that names the field, what it must be and what it is.
 */
export function validate<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    refuseLost(value as object, parsed.data);
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

/** Zod's records leave out a member of that name, and a filter by it would be none. */
function refuseLost(value: object, parsed: object): void {
  for (const [field, kept] of Object.entries(parsed)) {
    const given: unknown = Object.getOwnPropertyDescriptor(value, field)?.value;
    if (!hasPrototypeMember(given) || hasPrototypeMember(kept)) continue;
    throw new WaymarkError('INVALID_ARGUMENT', `${field} cannot have a member "__proto__": choose another name.`);
  }
}

function hasPrototypeMember(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
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
