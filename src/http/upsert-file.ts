import { z } from 'zod';
import { fileAt } from './file-at.js';
import { accessPoliciesSchema, fileSchema, metadataSchema, timeSchema } from './file-schema.js';
import { HttpError } from './http-error.js';
import { fileOperation } from './operation.js';
import { tagsSchema } from './tag-schema.js';

const uploadUrl = z.url().describe('PUT the bytes here, without Authorization, once, within 15 minutes');

export const upsertFile = fileOperation({
  id: 'upsertFile',
  method: 'PUT',
  path: '/v1/files',
  summary: 'Announce a file, new or in place of the one with its key; its content is put to the uploadUrl answered',
  permission: 'files',
  parts: {
    body: z.object({
      key: z
        .string()
        .regex(/^[^\p{Cc}\p{Cs}]{1,1000}$/u)
        .describe('a text of 1 to 1000 characters without control characters and lone surrogates'),
      size: z.int().min(0).describe('the bytes of the content, an integer from 0'),
      tags: tagsSchema.optional().describe(tagsSchema.description ?? ''),
      metadata: metadataSchema.optional().describe(metadataSchema.description ?? ''),
      contentType: z.string().min(1).max(200).optional().describe('a media type such as text/markdown'),
      index: z.boolean().optional().describe('true or false'),
      accessPolicies: accessPoliciesSchema.optional().describe(accessPoliciesSchema.description ?? ''),
      expiresAt: timeSchema.optional().describe(timeSchema.description ?? ''),
    }),
  },
  response: z.strictObject({ file: fileSchema.extend({ uploadUrl }) }),
  errors: ['PayloadTooLarge'],
  embeds: true,
  async handle({ target, request, base, uploadLimit }) {
    if (request.size > uploadLimit) {
      throw new HttpError('PayloadTooLarge', `size must be at most ${uploadLimit} bytes; it is ${request.size}.`);
    }
    const { file, secret } = await target.upsertFile(request);
    return { file: { ...fileAt(base, file), uploadUrl: `${base}/v1/uploads/${secret}` } };
  },
});
