import { z } from 'zod';

/** A file's key. UTF-8 cannot represent a lone surrogate: SQLite would return a key that differs from the given one. */
export const keySchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u)
  .describe('a string of 1 to 1000 characters without control characters and lone surrogates');

/** Longest value of a tag, in characters. */
const MAX_TAG = 1000;

/** A file's tags. */
export const tagsSchema = z
  .record(z.string().min(1), z.string().max(MAX_TAG))
  .default({})
  .describe(`an object of names to strings of at most ${MAX_TAG} characters`);

/** Changes of a file's tags. */
export const tagChangesSchema = z
  .record(z.string().min(1), z.string().max(MAX_TAG).nullable())
  .default({})
  .describe(`an object of names to strings of at most ${MAX_TAG} characters, or null to delete`);
