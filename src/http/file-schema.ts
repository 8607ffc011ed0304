import { z } from 'zod';

export const accessPoliciesSchema = z
  .array(z.enum(['public_content', 'integrations']))
  .describe('a list of public_content or integrations');

export const metadataSchema = z.record(z.string(), z.unknown()).describe('an object of JSON values');

export const timeSchema = z.iso.datetime({ offset: true }).describe('a time as ISO 8601, such as 2030-01-31T12:00:00Z');

/** A file as it is answered. */
export const fileSchema = z.strictObject({
  id: z.string(),
  botId: z.string(),
  key: z.string(),
  url: z.url().describe('where its content is read, by who may search it'),
  size: z.int().nullable().describe('bytes; null until it is uploaded'),
  contentType: z.string(),
  tags: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  accessPolicies: accessPoliciesSchema,
  index: z.boolean().describe('whether it is to be searched'),
  status: z.enum([
    'upload_pending',
    'upload_failed',
    'upload_completed',
    'indexing_pending',
    'indexing_failed',
    'indexing_completed',
  ]),
  failedStatusReason: z.string().optional(),
  expiresAt: z.string().optional(),
  owner: z.strictObject({
    type: z.enum(['bot', 'integration', 'user']),
    id: z.string().optional(),
    name: z.string().optional(),
  }),
});

export const fileId = z.string().min(1).describe("the file's id, or its key percent-encoded");
