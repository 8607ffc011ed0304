import { z } from 'zod';
import { fileId } from './file-schema.js';
import { fileOperation } from './operation.js';
import { metaSchema, nextToken } from './paging.js';
import { passageMetaSchema, subtypeSchema } from './passage-schema.js';

const path = z.object({ id: fileId });

export const listFilePassages = fileOperation({
  id: 'listFilePassages',
  method: 'GET',
  path: '/v1/files/{id}/passages',
  summary: 'List the passages of a file in their order',
  permission: 'files',
  parts: {
    path,
    query: z.object({
      limit: z.int().min(1).max(200).optional().describe('an integer from 1 to 200'),
      nextToken,
    }),
  },
  response: z.strictObject({
    passages: z.array(z.strictObject({ id: z.uuid(), content: z.string(), meta: passageMetaSchema })),
    meta: metaSchema,
  }),
  errors: ['ResourceNotFound'],
  handle: ({ target, request }) => target.listFilePassages(request),
});

export const setFilePassages = fileOperation({
  id: 'setFilePassages',
  method: 'PUT',
  path: '/v1/files/{id}/passages',
  summary: 'Put passages of your own in place of those that a file was cut into',
  permission: 'files',
  parts: {
    path,
    body: z.object({
      passages: z
        .array(
          z.object({
            content: z.string().min(1),
            type: subtypeSchema.optional(),
            pageNumber: z.int().min(1).optional(),
          }),
        )
        .max(10_000)
        .describe('a list of { content, type?, pageNumber? } in the order of the document'),
    }),
  },
  response: z.strictObject({}),
  errors: ['ResourceNotFound'],
  embeds: true,
  handle: ({ target, request }) => target.setFilePassages(request),
});
