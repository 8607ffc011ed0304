import { z } from 'zod';
import { validate } from './validate.js';

/** Owns files; one database holds many. */
export interface Bot {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** ISO 8601: when its files were last indexed completely; missing before the first time. */
  readonly deployedAt?: string;
}

const schema = z.object({
  name: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u)
    .describe('1 to 100 letters, digits, spaces, dots, dashes or underscores, a letter or digit first'),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateBotName(name: string): string {
  return validate(schema, { name }).name;
}
