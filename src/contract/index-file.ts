import { z } from 'zod';
import type { Metadata, Tags } from '../domain/passage.js';
import { formats } from '../formats/formats.js';
import { keySchema, tagsSchema } from './fields/file-fields.js';
import { jsonObjectSchema } from './fields/json-object.js';
import { validate } from './validate.js';

/** Options of `indexFile`. */
export interface IndexFileOptions {
  /** Values of at most 1,000 characters. They override tags in the text's front matter. */
  readonly tags?: Tags | undefined;
  /** JSON values. They override fields in the text's front matter. */
  readonly metadata?: Metadata | undefined;
  /** `text/markdown`, `text/mdx` or `text/plain`. Defaults to the type of the key's ending. */
  readonly contentType?: string | undefined;
}

const fileSchema = z.object({
  key: keySchema,
  text: z.string().describe('a string'),
  tags: tagsSchema,
  metadata: jsonObjectSchema,
  contentType: z
    .enum(formats.indexedContentTypes)
    .optional()
    .describe(`one of ${formats.indexedContentTypes.join(', ')}`),
});

/** Checks a text to index. Throws `INVALID_ARGUMENT`. */
export function validateFile(file: IndexFileOptions & { key: string; text: string }): z.output<typeof fileSchema> {
  return validate(fileSchema, file);
}

/** Whether a path can be a key. One with a byte that is not UTF-8 names no file: it was read as U+FFFD. */
export function isKey(text: string): boolean {
  return keySchema.safeParse(text).success && !text.includes('\uFFFD');
}

const keyed = z.object({ key: keySchema });

/** Throws `INVALID_ARGUMENT`. */
export function validateKey(key: string): string {
  return validate(keyed, { key }).key;
}

const tagged = z.object({ tags: tagsSchema });

/** Throws `INVALID_ARGUMENT`. */
export function validateTags(tags: Tags | undefined): Tags {
  return validate(tagged, { tags }).tags;
}
