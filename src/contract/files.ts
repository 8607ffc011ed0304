import { z } from 'zod';
import type { Metadata, Tags } from '../passage.js';
import { validate } from './validate.js';

export interface IndexFileOptions {
  /** At most 1,000 characters a value; they go before tags in the text's own front matter. */
  readonly tags?: Tags | undefined;
  /** What JSON can hold; it goes before fields in the text's own front matter. */
  readonly metadata?: Metadata | undefined;
  /** `text/markdown`, `text/mdx` or `text/plain`; by the key's ending unless given. */
  readonly contentType?: string | undefined;
}

const CONTENT_TYPES = ['text/markdown', 'text/mdx', 'text/plain'] as const;

const key = z
  .string()
  .regex(/^[^\p{Cc}]{1,1000}$/u)
  .describe('a text of 1 to 1000 characters without control characters');

const tags = z
  .record(z.string().min(1), z.string().max(1000))
  .default({})
  .describe('an object of names to texts of at most 1000 characters');

const fileSchema = z.object({
  key,
  text: z.string().describe('a text'),
  tags,
  metadata: z.record(z.string(), z.json()).default({}).describe('an object of JSON values'),
  contentType: z
    .enum(CONTENT_TYPES)
    .optional()
    .describe(`one of ${CONTENT_TYPES.join(', ')}`),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateFile(file: IndexFileOptions & { key: string; text: string }): z.output<typeof fileSchema> {
  return validate(fileSchema, file);
}

export function validateKey(given: string): string {
  return validate(z.object({ key }), { key: given }).key;
}

export function validateTags(given: Tags | undefined): Tags {
  return validate(z.object({ tags }), { tags: given }).tags;
}
