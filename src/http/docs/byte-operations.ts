import { jsonSchemaOf } from '../../contract/json-schema.js';
import { getFile } from '../../contract/operations/files.js';
import type { OpenApiOperation, OpenApiParameter } from './openapi-document.js';
import { COMMON_ERRORS, refusals } from './refusals.js';
import { requestHeaders } from './request-headers.js';

const id: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The file's id or key, percent-encoded.",
  schema: { type: 'string' },
};

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** How the bytes of a file are read. */
export const contentOperation: OpenApiOperation = {
  operationId: 'getFileContent',
  summary: 'Get the content of a file, from its url',
  description: 'For tokens of every role.',
  tags: ['files'],
  security: [{ token: [] }],
  parameters: [...requestHeaders('search'), id],
  responses: { 200: { description: "The file's bytes.", content: BYTES }, ...refusals(COMMON_ERRORS) },
};

/** How the bytes of a file are written. */
export const uploadOperation: OpenApiOperation = {
  operationId: 'upload',
  summary: 'Put the content of a file to the uploadUrl that upsertFile answered',
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
      'Forbidden',
      'ResourceNotFound',
      'AlreadyExists',
      'PayloadTooLarge',
      'RateLimited',
      'Internal',
    ]),
  },
};
