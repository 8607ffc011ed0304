import { z } from 'zod';

export const subtypeSchema = z.enum(['title', 'subtitle', 'paragraph', 'blockquote', 'list', 'table', 'code', 'image']);

export const passageMetaSchema = z.strictObject({
  type: z.enum(['chunk', 'consolidated']),
  subtype: subtypeSchema.optional(),
  pageNumber: z.int().optional(),
  position: z.int().optional().describe("the passage's place in its file, from 0"),
  sourceUrl: z.string().optional(),
});

const contextItemSchema = z.strictObject({
  id: z.uuid().optional(),
  text: z.string(),
  offset: z.int().optional().describe('passages from the match: negative before it, 0 itself'),
  type: z.enum(['preceding', 'current', 'subsequent', 'breadcrumb']),
});

/** A passage as a search answers it. */
export const foundPassageSchema = z.strictObject({
  content: z.string(),
  score: z.number().min(0).max(1).describe('higher is better'),
  meta: passageMetaSchema,
  file: z.strictObject({
    id: z.string(),
    key: z.string(),
    contentType: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    tags: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
  context: z.array(contextItemSchema).optional().describe('with withContext only'),
});
