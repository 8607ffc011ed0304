import { types } from 'node:util';
import { excessOf } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { ACCESS_POLICIES } from '../../storage/file-access.js';
import { FILE_SORT_FIELDS, FILE_STATUSES } from '../../storage/file-records.js';
import { field, oneOf } from '../fields/field.js';
import { keySchema, storableSchema, tagChangesSchema, tagsSchema } from '../fields/file-fields.js';
import { indexingSchema } from '../fields/indexing-configuration.js';
import { jsonObjectSchema } from '../fields/json-object.js';
import { MEDIA_TYPE } from '../fields/media-type.js';
import { nextTokenField, pageMetaSchema, pageSizeField, sortDirectionField } from '../fields/page.js';
import { additionSchema, flagSchema, tagFilterSchema } from '../fields/query.js';
import { FILE_EXPIRY, fileExpirySchema } from '../fields/time.js';
import { within } from '../fields/within.js';
import { idSchema } from '../names.js';
import type { HttpOperation, Operation, RequestOf, ResponseOf } from '../operation.js';

const IDS = LIMITS.ids.value;

const accessPolicies = within(z.array(z.enum(ACCESS_POLICIES)), ({ length }) =>
  excessOf(LIMITS.accessPolicies, length),
).describe(`a list of ${oneOf(ACCESS_POLICIES)}`);
const POLICIES =
  'Who else may read the content: with public_content, everybody who has its `url`. integrations grants nothing here.';

/** A file. */
export const fileSchema = z
  .object({
    id: z.string().describe('`file_` and a ULID.'),
    botId: z.string(),
    key: z.string(),
    url: z.string().meta({
      format: 'uri-reference',
      description:
        'The address of the content, which needs no token: permanent with public_content, else valid for about an ' +
        'hour. In process, a path.',
    }),
    size: z.int().nullable().describe('Bytes; null until the content is uploaded.'),
    contentType: z.string(),
    tags: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    accessPolicies: z.array(z.enum(ACCESS_POLICIES)).describe('Who else may read the content.'),
    index: z.boolean().describe('Whether the file is to be searched.'),
    /** The state of the file. */
    status: z.enum(FILE_STATUSES),
    failedStatusReason: z.string().optional().describe('Why the upload or indexing failed.'),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe('When the file is deleted.'),
    /** Who uploaded the file: its bot. */
    owner: z.object({
      type: z.enum(['bot', 'integration', 'user']),
      id: z.string().optional(),
      name: z.string().optional(),
    }),
  })
  .meta({ title: 'File' });

/** One file, by id or key. */
export const fileIdField = field(
  idSchema.describe(`an id or key of 1 to ${LIMITS.id.value} characters`),
  'Which file.',
);

/** Lists files. */
export const listFiles = {
  id: 'listFiles',
  summary: 'List files, a page at a time',
  permission: 'files',
  method: 'GET',
  path: '/v1/files',
  request: z.object({
    nextToken: nextTokenField,
    pageSize: pageSizeField,
    sortField: field(
      z.enum(FILE_SORT_FIELDS).default('createdAt').describe(oneOf(FILE_SORT_FIELDS)),
      'The field to sort by. A `size` that is null counts as the smallest.',
    ),
    sortDirection: sortDirectionField,
    ids: field(z.array(z.string()).max(IDS).optional().describe(`a list of at most ${IDS} ids`), 'Only these files.'),
    indexed: field(
      z.boolean().optional().describe('true or false'),
      'Only files that are indexed, or only others: those whose `status` is, or is not, `indexing_completed`.',
    ),
    tags: field(tagFilterSchema, 'Only files with these tags; all conditions must hold.'),
  }),
  response: z.object({ files: z.array(fileSchema), meta: pageMetaSchema }),
  errors: ['RESPONSE_TOO_LARGE'],
} as const satisfies HttpOperation;

const contentTypeSchema = within(storableSchema.regex(MEDIA_TYPE), ({ length }) =>
  excessOf(LIMITS.contentType, length),
);

const description = {
  key: field(
    keySchema,
    "The file's name in its bot, such as `guides/keys.md`. An existing file of that key is replaced.",
  ),
  tags: field(tagsSchema, 'Searches and lists can be filtered by tags.'),
  metadata: field(jsonObjectSchema, 'Free-form data.'),
  contentType: field(
    contentTypeSchema.optional().describe('a media type such as text/markdown'),
    "Defaults to the type of the key's extension.",
  ),
  index: field(flagSchema, 'Whether the file is to be searched.'),
  indexing: field(indexingSchema, 'How to index it. Only values that say what Waymark does are accepted.'),
  publicContentImmediatelyAccessible: field(
    additionSchema,
    'Public content can be read as soon as it is uploaded, with or without this.',
  ),
  accessPolicies: field(accessPolicies.default([]).describe(accessPolicies.description ?? ''), POLICIES),
  expiresAt: field(fileExpirySchema.optional().describe(FILE_EXPIRY), 'When the file is deleted. Defaults to never.'),
};

/** Announces a file; its content is uploaded separately. */
export const upsertFile = {
  id: 'upsertFile',
  summary: 'Announce a file, new or replacing the one with its key; then PUT its content to the uploadUrl',
  permission: 'files',
  method: 'PUT',
  path: '/v1/files',
  request: z.object({
    ...description,
    // Its limit is that of the host, or of the service, whose status for it is another.
    size: field(z.int().min(0).describe('an integer from 0'), 'Bytes of the content to be uploaded.'),
  }),
  response: z.object({
    file: fileSchema.extend({
      uploadUrl: z.string().meta({
        format: 'uri-reference',
        description: 'Takes the bytes by PUT, without Authorization, once, within 15 minutes. In process, a path.',
      }),
    }),
  }),
  errors: [],
  embeds: true,
} as const satisfies HttpOperation;

/** The content of a file. Named, so that declarations have `Uint8Array` without the type argument of TypeScript 5.7. */
export type FileContent = string | Uint8Array;

const contentSchema = z.custom<FileContent>((given) => typeof given === 'string' || types.isUint8Array(given));

/** Over HTTP, this is upsertFile, a PUT of the content to its `uploadUrl`, and getFile. */
export const uploadFile = {
  id: 'uploadFile',
  summary: 'Upload a file and wait until it is stored; it is indexed in the background: see its `status`',
  permission: 'files',
  request: z.object({
    ...description,
    content: field(
      within(contentSchema, (content) => excessOf(LIMITS.content, Buffer.byteLength(content))).meta({
        type: 'string',
        description: 'a string or a Uint8Array',
      }),
      'The content; a string is stored as UTF-8.',
    ),
  }),
  response: z.object({ file: fileSchema }),
  errors: ['UPLOAD_MISSING'],
} as const satisfies Operation;

/** Gets a file by id or key. */
export const getFile = {
  id: 'getFile',
  summary: 'Get a file: its status, tags and metadata',
  permission: 'files',
  method: 'GET',
  path: '/v1/files/{id}',
  request: z.object({ id: fileIdField }),
  response: z.object({ file: fileSchema }),
  errors: ['FILE_MISSING'],
} as const satisfies HttpOperation;

/** Patches the description of a file; its content stays. */
export const updateFileMetadata = {
  id: 'updateFileMetadata',
  summary: 'Change the tags and metadata of a file: null deletes a field, and fields not named stay',
  permission: 'files',
  method: 'PUT',
  path: '/v1/files/{id}',
  request: z.object({
    id: fileIdField,
    tags: field(tagChangesSchema, 'Tags to set or delete.'),
    metadata: field(jsonObjectSchema, 'Fields to set, or with null to delete.'),
    accessPolicies: field(accessPolicies.optional().describe(accessPolicies.description ?? ''), POLICIES),
    expiresAt: field(
      fileExpirySchema.nullable().optional().describe(`${FILE_EXPIRY}, or null for never`),
      'When the file is deleted.',
    ),
  }),
  response: z.object({ file: fileSchema }),
  errors: ['FILE_MISSING'],
} as const satisfies HttpOperation;

/** Copies a file. */
export const copyFile = {
  id: 'copyFile',
  summary: 'Copy a file with its content, tags, metadata and passages, within its bot or to another one',
  permission: 'files',
  method: 'POST',
  path: '/v1/files/{id}/{destinationKey}',
  requestHeaders: { destinationBotId: 'x-destination-bot-id' },
  request: z.object({
    id: fileIdField,
    destinationKey: field(keySchema, 'The key of the copy.'),
    overwrite: field(flagSchema, 'Whether a file that has the key is replaced.'),
    destinationBotId: field(
      idSchema.optional().describe(idSchema.description ?? ''),
      'The bot of the copy; over HTTP its id. Defaults to that of the file.',
    ),
  }),
  response: z.object({ file: fileSchema }),
  errors: ['FILE_MISSING', 'FILE_EXISTS'],
  embeds: true,
} as const satisfies HttpOperation;

/** Deletes a file. */
export const deleteFile = {
  id: 'deleteFile',
  summary: 'Delete a file and its passages',
  permission: 'files',
  method: 'DELETE',
  path: '/v1/files/{id}',
  request: z.object({ id: fileIdField }),
  response: z.object({}),
  errors: ['FILE_MISSING'],
} as const satisfies HttpOperation;

/** A file as the file operations return it. `size` is in bytes, times are ISO 8601. */
export type File = ResponseOf<typeof getFile>['file'];

/** The state of an uploaded file. */
export type FileStatus = File['status'];

/** Who, besides its bot, may read a file's content. */
export type AccessPolicy = File['accessPolicies'][number];

/** Which files to list; docs/reference/operations.md has the range and default of each field. */
export type ListFilesRequest = RequestOf<typeof listFiles>;

/** A file whose content is still to be uploaded; `size` is in bytes. */
export type UpsertFileRequest = RequestOf<typeof upsertFile>;

/** A file with its content. A string is stored as UTF-8. */
export type UploadFileRequest = RequestOf<typeof uploadFile>;

/** Changes of a file; `id` is its id or key. */
export type UpdateFileMetadataRequest = RequestOf<typeof updateFileMetadata>;
