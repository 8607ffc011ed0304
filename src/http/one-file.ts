import { z } from 'zod';
import { fileAt } from './file-at.js';
import { accessPoliciesSchema, fileId, fileSchema, timeSchema } from './file-schema.js';
import { fileOperation } from './operation.js';

const path = z.object({ id: fileId });
const response = z.strictObject({ file: fileSchema });

export const getFile = fileOperation({
  id: 'getFile',
  method: 'GET',
  path: '/v1/files/{id}',
  summary: 'Get a file: its status, tags and metadata',
  permission: 'files',
  parts: { path },
  response,
  errors: ['ResourceNotFound'],
  handle: async ({ target, request, base }) => ({ file: fileAt(base, (await target.getFile(request)).file) }),
});

export const updateFileMetadata = fileOperation({
  id: 'updateFileMetadata',
  method: 'PUT',
  path: '/v1/files/{id}',
  summary: 'Change tags and metadata of a file: named ones are set, null deletes, the others stay',
  permission: 'files',
  parts: {
    path,
    body: z.object({
      tags: z
        .record(z.string().min(1), z.string().max(1000).nullable())
        .optional()
        .describe('an object of names to texts of at most 1000 characters or null'),
      metadata: z.record(z.string(), z.unknown()).optional().describe('an object of JSON values'),
      accessPolicies: accessPoliciesSchema.optional().describe(accessPoliciesSchema.description ?? ''),
      expiresAt: timeSchema.nullable().optional().describe(`${timeSchema.description}, or null`),
    }),
  },
  response,
  errors: ['ResourceNotFound'],
  handle: async ({ target, request, base }) => ({
    file: fileAt(base, (await target.updateFileMetadata(request)).file),
  }),
});

export const deleteFile = fileOperation({
  id: 'deleteFile',
  method: 'DELETE',
  path: '/v1/files/{id}',
  summary: 'Delete a file and what was indexed of it',
  permission: 'files',
  parts: { path },
  response: z.strictObject({}),
  errors: ['ResourceNotFound'],
  handle: ({ target, request }) => target.deleteFile(request),
});
