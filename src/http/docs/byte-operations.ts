import { jsonSchemaOf } from '../../contract/json-schema.js';
import { getFile } from '../../contract/operations/files.js';
import type { OpenApiOperation, OpenApiParameter } from './openapi-document.js';
import { COMMON_ERRORS, ERROR, refusals } from './refusals.js';
import { requestHeaders } from './request-headers.js';

const id: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The file's id or key, percent-encoded.",
  schema: { type: 'string' },
};

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

function query(name: string, description: string): OpenApiParameter {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } };
}

/** How the bytes of a file are read. */
export const contentOperation: OpenApiOperation = {
  operationId: 'getFileContent',
  summary: 'Get the content of a file, from its url',
  description:
    'For tokens of every role. Without a token: public content by its id, other content by the signed address that ' +
    'is its url, which is valid for about an hour.',
  tags: ['files'],
  security: [{ token: [] }, {}],
  parameters: [
    ...requestHeaders({ permission: 'search' }).map((header) => ({ ...header, required: false })),
    id,
    query('expires', 'When the address expires, in seconds since 1970.'),
    query('signature', 'The signature of the address.'),
    { ...query('range', 'One range of bytes, such as bytes=0-99.'), in: 'header' },
  ],
  responses: {
    200: { description: "The file's bytes.", content: BYTES },
    206: { description: 'The range of bytes that was asked for.', content: BYTES },
    304: { description: 'If-None-Match has the ETag of the content.' },
    412: { description: 'InvalidQuery: If-Match does not have the ETag of the content.', content: ERROR },
    416: { description: 'InvalidQuery: Range begins after the end of the content.', content: ERROR },
    ...refusals(COMMON_ERRORS),
  },
};

/** How the bytes of a file are written. */
export const uploadOperation: OpenApiOperation = {
  operationId: 'upload',
  summary: 'Put the content of a file to the uploadUrl from upsertFile',
  description: 'Without a token: the address is the permission, once and for 15 minutes.',
  tags: ['files'],
  security: [],
  parameters: [{ ...id, name: 'secret', description: 'The last part of the uploadUrl.' }],
  requestBody: { required: true, content: BYTES },
  responses: {
    200: {
      description: 'Stored.',
      content: { 'application/json': { schema: jsonSchemaOf(getFile.response, 'output') } },
    },
    ...refusals([
      'InvalidPayload',
      'InvalidQuery',
      'Forbidden',
      'ResourceNotFound',
      'AlreadyExists',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'RateLimited',
      'Internal',
      'OperationTimeout',
    ]),
  },
};
