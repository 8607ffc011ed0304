import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import { TAG_NAME, tagNameSchema } from '../fields/file-fields.js';
import { namePageSizeField, nextTokenField, pageMetaSchema } from '../fields/page.js';
import type { HttpOperation } from '../operation.js';

/** Lists the names of tags. */
export const listFileTags = {
  id: 'listFileTags',
  summary: 'List the names of all tags, in order',
  permission: 'files',
  method: 'GET',
  path: '/v1/files/tags',
  request: z.object({ pageSize: namePageSizeField, nextToken: nextTokenField }),
  response: z.object({ tags: z.array(z.string()), meta: pageMetaSchema }),
  errors: [],
} as const satisfies HttpOperation;

/** Lists the values of a tag. */
export const listFileTagValues = {
  id: 'listFileTagValues',
  summary: 'List the values of a tag, in order',
  permission: 'files',
  method: 'GET',
  path: '/v1/files/tags/{tag}/values',
  request: z.object({
    tag: field(tagNameSchema.describe(TAG_NAME), "The tag's name."),
    pageSize: namePageSizeField,
    nextToken: nextTokenField,
  }),
  response: z.object({ values: z.array(z.string()), meta: pageMetaSchema }),
  errors: [],
} as const satisfies HttpOperation;
