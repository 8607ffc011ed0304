import { z } from 'zod';
import { fileOperation } from './operation.js';
import { metaSchema, nextToken } from './paging.js';

export const listFileTags = fileOperation({
  id: 'listFileTags',
  method: 'GET',
  path: '/v1/files/tags',
  summary: 'List the names of the tags that files have',
  permission: 'files',
  parts: { query: z.object({ nextToken }) },
  response: z.strictObject({ tags: z.array(z.string()), meta: metaSchema }),
  handle: ({ target, request }) => target.listFileTags(request),
});

export const listFileTagValues = fileOperation({
  id: 'listFileTagValues',
  method: 'GET',
  path: '/v1/files/tags/{tag}/values',
  summary: 'List the values of a tag',
  permission: 'files',
  parts: {
    path: z.object({ tag: z.string().min(1).describe("the tag's name, percent-encoded") }),
    query: z.object({ nextToken }),
  },
  response: z.strictObject({ values: z.array(z.string()), meta: metaSchema }),
  handle: ({ target, request }) => target.listFileTagValues(request),
});
