import { z } from 'zod';
import type { Metadata, Tags } from '../domain/passage.js';
import { idSchema, nextTokenSchema, pageSizeSchema, sortDirectionSchema } from './bots.js';
import { jsonObjectSchema } from './json-object.js';
import { tagFilterSchema } from './search-files.js';
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

/** The media type of a key's ending. */
export function contentTypeOfKey(key: string): string {
  const [ending = ''] = /[^.]*$/.exec(key.toLowerCase()) ?? [];
  return TYPES.get(ending) ?? 'application/octet-stream';
}

/** No object: an ending may be `constructor`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['mdx', 'text/mdx'],
  ['txt', 'text/plain'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['pdf', 'application/pdf'],
]);

// A lone surrogate is nothing that UTF-8 has: SQLite gives back another key than it was given.
const key = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u)
  .describe('a text of 1 to 1000 characters without control characters and lone surrogates');

const tags = z
  .record(z.string().min(1), z.string().max(1000))
  .default({})
  .describe('an object of names to texts of at most 1000 characters');

const fileSchema = z.object({
  key,
  text: z.string().describe('a text'),
  tags,
  metadata: jsonObjectSchema,
  contentType: z
    .enum(CONTENT_TYPES)
    .optional()
    .describe(`one of ${CONTENT_TYPES.join(', ')}`),
});

/** Throws `INVALID_ARGUMENT`. */
export function validateFile(file: IndexFileOptions & { key: string; text: string }): z.output<typeof fileSchema> {
  return validate(fileSchema, file);
}

/** Whether a file's path can be its key: one with a byte that is not UTF-8 names no file, it reads as U+FFFD. */
export function isKey(text: string): boolean {
  return key.safeParse(text).success && !text.includes('\uFFFD');
}

const ofKey = z.object({ key });

export function validateKey(given: string): string {
  return validate(ofKey, { key: given }).key;
}

const ofTags = z.object({ tags });

export function validateTags(given: Tags | undefined): Tags {
  return validate(ofTags, { tags: given }).tags;
}

const accessPolicies = z.array(z.string().max(100)).max(20).default([]).describe('a list of at most 20 texts');
const time = z.iso.datetime({ offset: true });
const TIME = 'an ISO 8601 time, such as 2030-01-31T12:00:00Z';

export const listFilesSchema = z.object({
  nextToken: nextTokenSchema,
  pageSize: pageSizeSchema,
  sortField: z
    .enum(['key', 'size', 'createdAt', 'updatedAt', 'status'])
    .default('createdAt')
    .describe('key, size, createdAt, updatedAt or status'),
  sortDirection: sortDirectionSchema,
  tags: tagFilterSchema,
  ids: z.array(z.string()).max(50).optional().describe('a list of at most 50 ids'),
  indexed: z.boolean().optional().describe('true or false'),
});

export const upsertFileSchema = z.object({
  key,
  size: z.int().min(0).describe('the number of bytes of the content'),
  tags,
  metadata: jsonObjectSchema,
  contentType: z.string().min(1).max(200).optional().describe('a media type, such as text/markdown'),
  index: z.boolean().default(false).describe('true or false'),
  accessPolicies,
  expiresAt: time.optional().describe(TIME),
});

export const updateFileMetadataSchema = z.object({
  id: idSchema,
  tags: z
    .record(z.string().min(1), z.string().max(1000).nullable())
    .default({})
    .describe('an object of names to texts of at most 1000 characters, or null to delete'),
  metadata: jsonObjectSchema,
  accessPolicies: accessPolicies.unwrap().optional().describe('a list of at most 20 texts'),
  expiresAt: time.nullable().optional().describe(`${TIME}, or null for never`),
});

/** Greatest page of passages. */
const MAX_PASSAGES = 200;

export const listFilePassagesSchema = z.object({
  id: idSchema,
  limit: z.int().min(1).max(MAX_PASSAGES).default(20).describe(`an integer from 1 to ${MAX_PASSAGES}`),
  nextToken: nextTokenSchema,
});

export const setFilePassagesSchema = z.object({
  id: idSchema,
  passages: z
    .array(
      z.object({
        content: z.string().min(1),
        type: z.string().optional(),
        pageNumber: z.int().min(1).optional(),
      }),
    )
    .max(10_000)
    .describe('a list of { content, type?, pageNumber? } with content that is not empty'),
});

export const listFileTagsSchema = z.object({ nextToken: nextTokenSchema });
export const listFileTagValuesSchema = z.object({ tag: key, nextToken: nextTokenSchema });
