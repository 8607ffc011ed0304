import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import { storableSchema, tagChangesSchema, tagsSchema } from '../fields/file-fields.js';
import { nextTokenField, pageMetaSchema, pageSizeField } from '../fields/page.js';
import { tagFilterSchema } from '../fields/query.js';
import type { HttpOperation, ResponseOf } from '../operation.js';

/** The tag by which a file belongs to a knowledge base: its value is the id. */
export const KNOWLEDGE_BASE_TAG = 'kbId';

const MOST = LIMITS.name.value;

const nameField = field(
  storableSchema.min(1).max(MOST).describe(`a string of 1 to ${MOST} characters without NUL and lone surrogates`),
  'The name; several knowledge bases may have the same one.',
);

const idField = field(
  z.string().min(1).max(LIMITS.id.value).describe(`an id of 1 to ${LIMITS.id.value} characters`),
  'Which knowledge base.',
);

/** A knowledge base. */
export const knowledgeBaseSchema = z
  .object({
    id: z.string().describe('`kb_` and a ULID. Files with this id as their tag `kbId` belong to it.'),
    name: z.string(),
    tags: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
  })
  .meta({ title: 'KnowledgeBase' });

/** Creates a knowledge base. */
export const createKnowledgeBase = {
  id: 'createKnowledgeBase',
  summary: 'Create a knowledge base: a group of files, which have its id as their tag kbId',
  permission: 'files',
  method: 'POST',
  path: '/v1/files/knowledge-bases',
  request: z.object({ name: nameField, tags: field(tagsSchema, 'Lists of knowledge bases can be filtered by tags.') }),
  response: z.object({ knowledgeBase: knowledgeBaseSchema }),
  errors: [],
} as const satisfies HttpOperation;

/** Lists knowledge bases. */
export const listKnowledgeBases = {
  id: 'listKnowledgeBases',
  summary: 'List knowledge bases, newest first, a page at a time',
  permission: 'files',
  method: 'GET',
  path: '/v1/files/knowledge-bases',
  request: z.object({
    nextToken: nextTokenField,
    pageSize: pageSizeField,
    tags: field(tagFilterSchema, 'Only knowledge bases with these tags; all conditions must hold.'),
  }),
  response: z.object({ knowledgeBases: z.array(knowledgeBaseSchema), meta: pageMetaSchema }),
  errors: [],
} as const satisfies HttpOperation;

/** Changes a knowledge base. */
export const updateKnowledgeBase = {
  id: 'updateKnowledgeBase',
  summary: 'Change the name and tags of a knowledge base',
  permission: 'files',
  method: 'PUT',
  path: '/v1/files/knowledge-bases/{id}',
  request: z.object({ id: idField, name: nameField, tags: field(tagChangesSchema, 'Tags to change; others stay.') }),
  response: z.object({ knowledgeBase: knowledgeBaseSchema }),
  errors: ['KNOWLEDGE_BASE_MISSING'],
} as const satisfies HttpOperation;

/** Deletes a knowledge base. */
export const deleteKnowledgeBase = {
  id: 'deleteKnowledgeBase',
  summary: 'Delete a knowledge base and its files',
  permission: 'files',
  method: 'DELETE',
  path: '/v1/files/knowledge-bases/{id}',
  request: z.object({ id: idField }),
  response: z.object({}),
  errors: ['KNOWLEDGE_BASE_MISSING'],
} as const satisfies HttpOperation;

/** A group of files of a bot. */
export type StoredKnowledgeBase = ResponseOf<typeof createKnowledgeBase>['knowledgeBase'];
