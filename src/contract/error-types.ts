import type { WaymarkErrorCode } from '../domain/errors.js';

/**
 * Error types on the wire: the HTTP status of each, and the library's code that a client raises for it. Error types
 * that several codes share carry the precise code in `metadata.code`. `MISSING` stands for the code of whichever
 * resource is missing, such as `FILE_MISSING`.
 */
export const ERROR_TYPES = {
  InvalidPayload: { status: 400, code: 'INVALID_ARGUMENT' },
  InvalidQuery: { status: 400, code: 'INVALID_ARGUMENT' },
  InvalidIdentifier: { status: 400, code: 'INVALID_ARGUMENT' },
  InvalidDataFormat: { status: 400, code: 'INVALID_ARGUMENT' },
  Unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  Forbidden: { status: 403, code: 'FORBIDDEN' },
  QuotaExceeded: { status: 403, code: 'FORBIDDEN' },
  ResourceNotFound: { status: 404, code: 'MISSING' },
  ReferenceNotFound: { status: 400, code: 'MISSING' },
  MethodNotFound: { status: 405, code: 'SERVER_FAILED' },
  AlreadyExists: { status: 409, code: 'SERVER_FAILED' },
  ResourceGone: { status: 410, code: 'MISSING' },
  PayloadTooLarge: { status: 413, code: 'INVALID_ARGUMENT' },
  LimitExceeded: { status: 413, code: 'INVALID_ARGUMENT' },
  UnsupportedMediaType: { status: 415, code: 'INVALID_ARGUMENT' },
  RateLimited: { status: 429, code: 'RATE_LIMITED' },
  Internal: { status: 500, code: 'SERVER_FAILED' },
  OperationTimeout: { status: 504, code: 'SERVER_FAILED' },
} as const satisfies Readonly<Record<string, { status: number; code: WaymarkErrorCode | 'MISSING' }>>;

/** Codes of errors that a client raises as they are: they are more precise than the type of the error. */
export const PRECISE_CODES = [
  'WORKSPACE_EXISTS',
  'BOT_EXISTS',
  'FILE_EXISTS',
  'BUSY',
  'CLUSTER_UNAVAILABLE',
  'RESPONSE_TOO_LARGE',
  'INPUT_TOO_LARGE',
  'DISK_FULL',
  'OUT_OF_MEMORY',
  'DATABASE_UNWRITABLE',
  'DATABASE_CONFLICT',
] as const satisfies readonly WaymarkErrorCode[];

/** The name of an error type. */
export type ErrorType = keyof typeof ERROR_TYPES;

/** The code that a client raises for an error type; `SERVER_FAILED` for an unknown one. */
export function codeOfType(type: string): (typeof ERROR_TYPES)[ErrorType]['code'] {
  return Object.hasOwn(ERROR_TYPES, type) ? ERROR_TYPES[type as ErrorType].code : 'SERVER_FAILED';
}
