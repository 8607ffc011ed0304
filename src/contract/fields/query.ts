import { z } from 'zod';

/** Longest query, in bytes of UTF-8. */
export const MAX_QUERY_BYTES = 2048;

/** A query in natural language. */
export const querySchema = z
  .string()
  .min(1)
  .refine((query) => query.trim() !== '' && Buffer.byteLength(query) <= MAX_QUERY_BYTES)
  .describe(`a non-empty string of at most ${MAX_QUERY_BYTES} bytes`);

const values = z.union([z.string(), z.array(z.string())]);

/** Conditions on tags; see `TagFilter`. */
export const tagFilterSchema = z
  .record(z.string(), z.union([values, z.strictObject({ not: values })]))
  .optional()
  .describe('an object of tag names to a value, a list of values, or { not: value or values }');

/** Which retrievers rank: both, the dense one (meaning), or the lexical one (words). */
export type Mode = 'hybrid' | 'dense' | 'lexical';

/** See `Mode`. */
export const modeSchema = z.enum(['hybrid', 'dense', 'lexical']).default('hybrid').describe('hybrid, dense or lexical');

/** Least score of a hit. */
export const minScoreSchema = z.number().min(0).max(1).default(0).describe('a number from 0 to 1');

/** An option that is off by default. */
export const flagSchema = z.boolean().default(false).describe('true or false');

/** A signal that stops a call. */
export const signalSchema = z
  .custom<AbortSignal>((given) => given instanceof AbortSignal)
  .optional()
  .describe('an AbortSignal');
