import { type Metadata, SUBTYPES, type Tags } from '../../domain/passage.js';
import { z } from '../../domain/zod.js';
import { formats } from '../../formats/formats.js';
import { keySchema, tagsSchema } from '../fields/file-fields.js';
import { jsonObjectSchema } from '../fields/json-object.js';
import { MEDIA_TYPE } from '../fields/media-type.js';
import { plainOptions, validate } from '../validate.js';

/** Options of `indexFile`. */
export interface IndexFileOptions {
  /** Values of at most 1,000 characters. They override tags in the text's front matter. */
  readonly tags?: Tags | undefined;
  /** JSON values. They override fields in the text's front matter. */
  readonly metadata?: Metadata | undefined;
  /** One of `formats.contentTypes`. Defaults to the type of the key's extension. */
  readonly contentType?: string | undefined;
}

const fileSchema = z.object({
  key: keySchema,
  text: z.string().describe('a string'),
  tags: tagsSchema,
  metadata: jsonObjectSchema,
  contentType: z
    .enum(formats.contentTypes)
    .optional()
    .describe(`one of ${formats.contentTypes.join(', ')}`),
});

/** Checks a text to index. Throws `INVALID_ARGUMENT`. */
export function validateFile(
  file: { readonly key: string; readonly text: string },
  options: IndexFileOptions,
): z.output<typeof fileSchema> {
  return validate(fileSchema, { ...plainOptions(options), ...file });
}

const passagesSchema = z.object({
  key: keySchema,
  contentType: z.string().regex(MEDIA_TYPE).describe('a media type such as text/markdown'),
  tags: tagsSchema,
  metadata: jsonObjectSchema,
  passages: z
    .array(
      z.object({
        content: z.string().min(1).describe('a non-empty string'),
        subtype: z.enum(SUBTYPES).describe(`one of ${SUBTYPES.join(', ')}`),
        page: z.int().min(1).optional().describe('an integer from 1'),
      }),
    )
    .describe('a list of { content, subtype, page }'),
});

/** Checks passages that a caller cut. Throws `INVALID_ARGUMENT`. */
export function validatePassages(file: object): z.output<typeof passagesSchema> {
  return validate(passagesSchema, file);
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
