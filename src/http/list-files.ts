import { z } from 'zod';
import { fileAt } from './file-at.js';
import { fileSchema } from './file-schema.js';
import { fileOperation } from './operation.js';
import { metaSchema, nextToken, pageSize, sortDirection } from './paging.js';
import { tagFilterSchema } from './tag-schema.js';

export const listFiles = fileOperation({
  id: 'listFiles',
  method: 'GET',
  path: '/v1/files',
  summary: 'List files, a page at a time',
  permission: 'files',
  parts: {
    query: z.object({
      nextToken,
      pageSize,
      sortField: z
        .enum(['key', 'size', 'createdAt', 'updatedAt', 'status'])
        .optional()
        .describe('one of key, size, createdAt, updatedAt, status'),
      sortDirection,
      tags: tagFilterSchema.optional().describe(tagFilterSchema.description ?? ''),
      ids: z.array(z.string()).max(50).optional().describe('a list of at most 50 file ids'),
      indexed: z.boolean().optional().describe('true or false'),
    }),
  },
  response: z.strictObject({ files: z.array(fileSchema), meta: metaSchema }),
  async handle({ target, request, base }) {
    const { files, meta } = await target.listFiles(request);
    return { files: files.map((file) => fileAt(base, file)), meta };
  },
});
