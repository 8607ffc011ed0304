import { randomUUID } from 'node:crypto';
import { ERROR_TYPES, type ErrorType } from '../../contract/error-types.js';
import { hasBody } from '../../contract/operation.js';
import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import { z } from '../../domain/zod.js';
import { WaymarkError, type WaymarkErrorCode } from '../../index.js';
import { HttpError, unavailable } from './http-error.js';

/** The body of every answer that is not 2xx. */
export const errorSchema = z
  .strictObject({
    id: z.string().regex(/^err_/).describe('Identifies this failure, also in the log.'),
    code: z.int().describe('The HTTP status.'),
    type: z.enum(Object.keys(ERROR_TYPES) as [ErrorType, ...ErrorType[]]),
    message: z.string().describe('What is wrong and what to do next, for a person.'),
    metadata: z.strictObject({ code: z.string().describe("The library's code for the error.") }).optional(),
  })
  .describe('A refused or failed request.');

/** The answer to a refused request, with an id of its own. */
export function errorBody({ type, status, message, cause }: HttpError): z.output<typeof errorSchema> {
  const known = status !== 500 && cause instanceof WaymarkError;
  return { id: `err_${randomUUID()}`, code: status, type, message, ...(known && { metadata: { code: cause.code } }) };
}

/** Errors of the library whose messages a caller may read. */
const TYPES: Partial<Record<WaymarkErrorCode, ErrorType>> = {
  BOT_MISSING: 'ResourceNotFound',
  BOT_AMBIGUOUS: 'InvalidQuery',
  FILE_MISSING: 'ResourceNotFound',
  UPLOAD_MISSING: 'ResourceNotFound',
  KNOWLEDGE_BASE_MISSING: 'ResourceNotFound',
  WORKSPACE_MISSING: 'ResourceNotFound',
  WORKSPACE_EXISTS: 'AlreadyExists',
  BOT_EXISTS: 'AlreadyExists',
  FILE_EXISTS: 'AlreadyExists',
  FORBIDDEN: 'Forbidden',
  RESPONSE_TOO_LARGE: 'LimitExceeded',
  INPUT_TOO_LARGE: 'LimitExceeded',
  RATE_LIMITED: 'RateLimited',
};

/** Converts any thrown value. The cause of an unforeseen error is not revealed. */
export function httpError(error: unknown, { method }: { readonly method: string }): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof WaymarkError) {
    if (error.code === 'INVALID_ARGUMENT') {
      return new HttpError(hasBody(method) ? 'InvalidPayload' : 'InvalidQuery', error.message, { cause: error });
    }
    const type = TYPES[error.code];
    if (type) return new HttpError(type, error.message, { cause: error });
    const failure = failureOf(error);
    if (failure) return failure;
  }
  return (
    fastifyError(error) ?? new HttpError('Internal', 'The service failed: its log has the cause.', { cause: error })
  );
}

/** Parts of the request may have been stored, such as the first of many deletions. */
const FULL = 'The disk of the service is full, but what was stored before is kept: try again later.';

/** Failures whose messages name files of the service: callers read another sentence. */
function failureOf(error: WaymarkError): HttpError | undefined {
  const cause = { cause: error };
  switch (error.code) {
    case 'ENGINE_CLOSED':
      return unavailable('The service is stopping: try again in a moment.', 5);
    case 'BUSY':
      return unavailable('Another process is writing to the database: try again in a moment.', 1, cause);
    case 'CLUSTER_UNAVAILABLE':
      return unavailable('The cluster of the service does not answer: try again in a moment.', 5, cause);
    case 'OUT_OF_MEMORY':
      return unavailable('The service has too little memory at the moment: try again later.', 10, cause);
    case 'DATABASE_UNWRITABLE':
      return unavailable('The service cannot read or write its database: try again later.', 30, cause);
    case 'DATABASE_CONFLICT':
      return new HttpError('AlreadyExists', 'Something else was stored meanwhile: try again.', cause);
    case 'DISK_FULL':
      return new HttpError('Internal', FULL, { ...cause, status: 507 });
    default:
      return undefined;
  }
}

/** Fastify's own refusals of bodies, content types and URLs. */
function fastifyError(error: unknown): HttpError | undefined {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (statusCode === 413) {
    return new HttpError('PayloadTooLarge', `${describeExcess({ limit: LIMITS.body })}: send less.`);
  }
  if (statusCode === 415) {
    return new HttpError('UnsupportedMediaType', 'Send the body as JSON, with Content-Type: application/json.');
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new HttpError('InvalidIdentifier', 'The URL is invalid: percent-encode each part of its path as UTF-8.');
  }
  if (statusCode === 414)
    return new HttpError('InvalidIdentifier', "A part of the URL's path is longer than any key: shorten it.");
  if (statusCode === 400) return new HttpError('InvalidPayload', 'The body is not valid JSON: send one JSON object.');
  return undefined;
}
