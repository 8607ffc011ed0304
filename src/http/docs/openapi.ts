import { CONTENT_ROUTE, UPLOAD_ROUTE } from '../../contract/byte-routes.js';
import type { ErrorType } from '../../contract/error-types.js';
import { type JsonSchema, jsonSchemaOf } from '../../contract/json-schema.js';
import { type HttpOperation, type Permission, placeOf } from '../../contract/operation.js';
import { errorSchema } from '../errors/error-body.js';
import { contentOperation, uploadOperation } from './byte-operations.js';
import type { OpenApi, OpenApiOperation, OpenApiParameter } from './openapi-document.js';
import { COMMON_ERRORS, refusals } from './refusals.js';
import { requestHeaders } from './request-headers.js';

/** The OpenAPI 3.1 document of the service, derived from the contract. */
export function openApi(operations: readonly HttpOperation[], version: string): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const add = ({ path, method }: { path: string; method: string }, operation: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const operation of operations) add(operation, described(operation));
  add(CONTENT_ROUTE, contentOperation);
  add(UPLOAD_ROUTE, uploadOperation);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waymark',
      version,
      description: 'Semantic search over the files of bots: search, files, administration.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchemaOf(errorSchema, 'output') },
    },
  };
}

/** Who may call an operation. */
const ROLES: Readonly<Record<Permission, string>> = {
  search: 'For tokens of every role.',
  files: 'For tokens with the role member or admin.',
  admin: 'For tokens with the role admin.',
};

const BODY_ERRORS: readonly ErrorType[] = [
  'InvalidPayload',
  'AlreadyExists',
  'PayloadTooLarge',
  'UnsupportedMediaType',
];

function described(operation: HttpOperation): OpenApiOperation {
  const { id, method, summary, permission, response, responseHeaders = {} } = operation;
  const { parameters, body } = splitRequest(operation);
  const headers = Object.entries(responseHeaders).map(([name, description]) => {
    return [name, { description, schema: { type: 'string' } }] as const;
  });
  return {
    operationId: id,
    summary,
    description: ROLES[permission],
    tags: [permission === 'admin' ? 'administration' : 'files'],
    security: [{ token: [] }],
    parameters: [...requestHeaders(operation), ...parameters],
    ...(body && { requestBody: { required: 'required' in body, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'Done.',
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
        content: { 'application/json': { schema: jsonSchemaOf(response, 'output') } },
      },
      ...refusals(method === 'GET' ? COMMON_ERRORS : [...COMMON_ERRORS, ...BODY_ERRORS]),
    },
  };
}

/** The fields of a request by where they travel. */
function splitRequest(operation: HttpOperation): { parameters: OpenApiParameter[]; body: JsonSchema | undefined } {
  const { properties, required } = objectSchema(operation);
  const parameters: OpenApiParameter[] = [];
  const inBody: [string, JsonSchema][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const place = placeOf(operation, name);
    if (place === 'body') inBody.push([name, property]);
    else {
      const sent = operation.requestHeaders?.[name] ?? name;
      parameters.push({ name: sent, in: place, required: required.includes(name), ...parameterOf(property) });
    }
  }
  if (inBody.length === 0) return { parameters, body: undefined };
  const bodyRequired = required.filter((name) => placeOf(operation, name) === 'body');
  const body = { type: 'object', properties: Object.fromEntries(inBody) };
  return { parameters, body: bodyRequired.length > 0 ? { ...body, required: bodyRequired } : body };
}

function objectSchema({ request }: HttpOperation) {
  const { properties = {}, required = [] } = jsonSchemaOf(request);
  return { properties: properties as Record<string, JsonSchema>, required: required as readonly string[] };
}

function parameterOf({ description, ...schema }: JsonSchema): Omit<OpenApiParameter, 'name' | 'in' | 'required'> {
  return {
    ...(description !== undefined && { description: String(description) }),
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema,
  };
}
