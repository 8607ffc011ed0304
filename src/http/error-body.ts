import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { WaymarkError, type WaymarkErrorCode } from '../index.js';
import { type ErrorType, HttpError, STATUS, unavailable } from './http-error.js';

export const errorSchema = z
  .strictObject({
    id: z.string().regex(/^err_/).describe('names this one failure, in the log too'),
    code: z.int().describe('the HTTP status'),
    type: z.enum(Object.keys(STATUS) as [ErrorType, ...ErrorType[]]),
    message: z.string().describe('one sentence for a person, with the next step'),
    metadata: z.strictObject({ code: z.string().describe("the library's own code for it") }).optional(),
  })
  .describe('a refused or failed request');

export type ErrorBody = z.output<typeof errorSchema>;

export function errorBody({ type, status, message, cause }: HttpError): ErrorBody {
  const known = status !== 500 && cause instanceof WaymarkError;
  return { id: `err_${randomUUID()}`, code: status, type, message, ...(known && { metadata: { code: cause.code } }) };
}

/** What the engine says that a caller may read, too. */
const OF_CODE: Partial<Record<WaymarkErrorCode, ErrorType>> = {
  BOT_MISSING: 'ResourceNotFound',
  FILE_MISSING: 'ResourceNotFound',
  UPLOAD_MISSING: 'ResourceNotFound',
  WORKSPACE_MISSING: 'Unauthorized',
  BOT_EXISTS: 'AlreadyExists',
};

/** Anything thrown, as what is answered. What nobody foresaw keeps its cause to itself. */
export function httpError(error: unknown, { method }: { method: string }): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof WaymarkError) {
    if (error.code === 'INVALID_ARGUMENT') {
      return new HttpError(method === 'PUT' ? 'InvalidPayload' : 'InvalidQuery', error.message, { cause: error });
    }
    if (error.code === 'ENGINE_CLOSED') return unavailable('The service is stopping: ask again in a moment.', 5);
    if (error.code === 'BUSY') {
      return unavailable('Another process is writing to the database: ask again in a moment.', 1, { cause: error });
    }
    const type = OF_CODE[error.code];
    if (type) return new HttpError(type, error.message, { cause: error });
  }
  return ofFastify(error) ?? new HttpError('Internal', 'The service failed; its log says why.', { cause: error });
}

/** Fastify's own refusals, by status: those of bodies, content types and addresses. */
function ofFastify(error: unknown): HttpError | undefined {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (statusCode === 413) return new HttpError('PayloadTooLarge', 'The body is larger than this service takes.');
  if (statusCode === 415) {
    return new HttpError('UnsupportedMediaType', 'Send the body as JSON, with Content-Type: application/json.');
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new HttpError('InvalidIdentifier', 'The address is not valid: percent-encode each of its parts as UTF-8.');
  }
  if (statusCode === 414) return new HttpError('InvalidIdentifier', 'The address is longer than any key can be.');
  if (statusCode === 400) return new HttpError('InvalidPayload', 'The body is not valid JSON.');
  return undefined;
}
