import { inspect } from 'node:util';
import type { z } from 'zod';
import { HttpError } from './http-error.js';

/** A part of a request checked; the refusal names the parameter, what it must be and what it is. */
export function validated<Schema extends z.ZodObject>(
  schema: Schema,
  { value, invalid }: { value: unknown; invalid: 'InvalidQuery' | 'InvalidPayload' },
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path[0];
  if (name === undefined) throw new HttpError(invalid, `The body must be a JSON object; it is ${shown(value)}.`);
  const field = schema.shape[String(name)] as z.ZodType | undefined;
  const given = (value as Record<string, unknown>)[String(name)];
  throw new HttpError(invalid, `${String(name)} must be ${field?.description ?? 'valid'}; it is ${shown(given)}.`);
}

/** A value as a person would recognise it, cut where it is long. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text =
    typeof value === 'string' ? JSON.stringify(value) : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}
