import { excessOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { SUBTYPES } from '../../domain/passage.js';
import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import { nextTokenField, pageMetaSchema } from '../fields/page.js';
import { within } from '../fields/within.js';
import type { HttpOperation, RequestOf, ResponseOf } from '../operation.js';
import { fileIdField } from './files.js';
import { passageMetaSchema } from './search.js';

const PAGE = LIMITS.listFilePassagesLimit.value;

/** Lists the passages of a file. */
export const listFilePassages = {
  id: 'listFilePassages',
  summary: 'List the passages of a file in document order, a page at a time',
  permission: 'files',
  method: 'GET',
  path: '/v1/files/{id}/passages',
  request: z.object({
    id: fileIdField,
    limit: field(
      z.int().min(1).max(PAGE).default(20).describe(`an integer from 1 to ${PAGE}`),
      'The maximum number of passages on the page.',
    ),
    pageSize: field(
      z.int().min(1).max(PAGE).optional().describe(`an integer from 1 to ${PAGE}`),
      '`limit` under the name that other lists use. If both are given, this one applies.',
    ),
    nextToken: nextTokenField,
  }),
  response: z.object({
    passages: z.array(z.object({ id: z.uuid(), content: z.string(), meta: passageMetaSchema })),
    meta: pageMetaSchema,
  }),
  errors: ['FILE_MISSING', 'RESPONSE_TOO_LARGE'],
} as const satisfies HttpOperation;

const contentSchema = within(z.string().min(1), (content) => excessOf(LIMITS.passage, Buffer.byteLength(content)));

const passageSchema = z.object({
  content: field(contentSchema.describe('a non-empty string'), 'The text of the passage.'),
  type: field(
    z
      .enum(SUBTYPES)
      .default('paragraph')
      .describe(`one of ${SUBTYPES.join(', ')}`),
    'The kind of block.',
  ),
  pageNumber: field(z.int().min(1).optional().describe('an integer from 1'), 'The page of the original document.'),
});

/** Replaces the passages of a file. */
export const setFilePassages = {
  id: 'setFilePassages',
  summary: 'Replace the passages of a file with passages of your own; its content stays',
  permission: 'files',
  method: 'PUT',
  path: '/v1/files/{id}/passages',
  request: z.object({
    id: fileIdField,
    passages: field(
      z
        .array(passageSchema)
        .max(LIMITS.passages.value)
        .describe(`a list of at most ${LIMITS.passages.value} { content, type?, pageNumber? }`),
      'The passages in document order.',
    ),
  }),
  response: z.object({}),
  errors: ['FILE_MISSING'],
  embeds: true,
} as const satisfies HttpOperation;

/** A passage of a file as it is listed. */
export type FilePassage = ResponseOf<typeof listFilePassages>['passages'][number];

/** A passage that a caller sets: `type` defaults to `paragraph`, `pageNumber` counts from 1. */
export type PassageToSet = RequestOf<typeof setFilePassages>['passages'][number];
