import { z } from 'zod';
import { errorSchema } from './error-body.js';
import { CONTENT } from './file-content.js';
import { type ErrorType, STATUS } from './http-error.js';
import type { Operation, Permission } from './operation.js';
import { UPLOAD, uploadResponse } from './uploads.js';

type Json = Record<string, unknown>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Json[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, { schema: Json }>> };
  readonly responses: Readonly<Record<string, Json & { readonly description: string }>>;
}

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Json;
}

const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** What each operation may answer beside what is its own. */
const COMMON: readonly ErrorType[] = [
  'InvalidQuery',
  'Unauthorized',
  'Forbidden',
  'ResourceNotFound',
  'RateLimited',
  'Internal',
  'OperationTimeout',
];

/** The OpenAPI 3.1 document of the service, made from the schemas that check its requests. */
export function openApi(operations: readonly Operation[], version: string): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const add = (path: string, method: string, operation: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const operation of operations) add(operation.path, operation.method, described(operation));
  add(CONTENT.path, CONTENT.method, content);
  add(UPLOAD.path, UPLOAD.method, upload);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waymark',
      version,
      description: 'Semantic search over the markdown of bots: files, search, administration.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorSchema) },
    },
  };
}

function described(operation: Operation): OpenApiOperation {
  const { id, method, summary, permission, parts, response, headers: said, errors } = operation;
  const { path, query, body } = parts;
  const answered = Object.fromEntries(
    Object.entries(said).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
  const types = [...COMMON, ...errors, ...(method === 'GET' ? [] : BODY_ERRORS)];
  return {
    operationId: id,
    summary,
    description: NEEDS[permission],
    tags: [permission === 'admin' ? 'administration' : 'files'],
    security: [{ token: [] }],
    parameters: [...headers(permission), ...parametersOf('path', path), ...parametersOf('query', query)],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      200: {
        description: 'Done.',
        ...(Object.keys(answered).length > 0 && { headers: answered }),
        content: { 'application/json': { schema: schemaOf(response) } },
      },
      ...refusals(types),
    },
  };
}

const BODY_ERRORS: readonly ErrorType[] = ['InvalidPayload', 'PayloadTooLarge', 'UnsupportedMediaType'];

const NEEDS: Readonly<Record<Permission, string>> = {
  search: 'For tokens of every role.',
  files: 'For tokens with the role member or admin.',
  admin: 'For tokens with the role admin.',
};

const CLIENTS = ['x-integration-id', 'x-integration-alias', 'x-integration-name', 'x-user-id', 'x-user-role'];

function headers(permission: Permission): OpenApiParameter[] {
  const header = (name: string, { required, description }: { required: boolean; description: string }) =>
    ({ name, in: 'header', required, description, schema: { type: 'string' } }) as const;
  const isAdmin = permission === 'admin';
  return [
    header('x-bot-id', { required: !isAdmin, description: 'id of the bot whose files are meant' }),
    header('x-workspace-id', { required: isAdmin, description: "id of the token's workspace" }),
    ...(permission === 'search' ? CLIENTS : []).map((name) =>
      header(name, { required: false, description: 'sent by clients; makes no difference' }),
    ),
  ];
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): OpenApiParameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json & { description?: string };
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      ...(rest.type === 'object' && { style: 'deepObject', explode: true }),
      schema: rest,
    };
  });
}

/** By status, with the error types that come with it. */
function refusals(types: readonly ErrorType[]): OpenApiOperation['responses'] {
  const statuses = new Map<number, Set<string>>([
    [408, new Set(['OperationTimeout'])],
    [431, new Set(['LimitExceeded'])],
    [503, new Set(['Internal'])],
  ]);
  for (const type of types) statuses.set(STATUS[type], (statuses.get(STATUS[type]) ?? new Set()).add(type));
  const entries = [...statuses].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, names]) => [status, { description: `${[...names].join(' or ')}.`, content: ERROR }]),
  );
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io });
  return json;
}

const id: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: "the file's id, or its key percent-encoded",
  schema: { type: 'string' },
};

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

const content: OpenApiOperation = {
  operationId: 'getFileContent',
  summary: "Get a file's content: where its url leads",
  description: NEEDS.search,
  tags: ['files'],
  security: [{ token: [] }],
  parameters: [...headers('search'), id],
  responses: { 200: { description: "The file's bytes.", content: BYTES }, ...refusals(COMMON) },
};

const upload: OpenApiOperation = {
  operationId: 'upload',
  summary: "Put a file's bytes to the uploadUrl that upsertFile answered",
  description: 'Without a token: the address is the permission, once and for 15 minutes.',
  tags: ['files'],
  security: [],
  parameters: [{ ...id, name: 'secret', description: 'from the uploadUrl' }],
  requestBody: { required: true, content: BYTES },
  responses: {
    200: { description: 'Taken.', content: { 'application/json': { schema: schemaOf(uploadResponse) } } },
    ...refusals(['InvalidPayload', 'Forbidden', 'ResourceNotFound', 'PayloadTooLarge', 'RateLimited', 'Internal']),
  },
};
