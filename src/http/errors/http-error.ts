import { ERROR_TYPES, type ErrorType } from '../../contract/error-types.js';

/** What a refusal adds to its type and message. */
export interface HttpErrorOptions {
  /** Defaults to the status of the type. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log; the caller never sees it. */
  readonly cause?: unknown;
}

/** A refused request; the caller reads `message`. */
export class HttpError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: ErrorType, message: string, { status, headers, cause }: HttpErrorOptions = {}) {
    super(message, { cause });
    this.name = 'HttpError';
    this.type = type;
    this.status = status ?? ERROR_TYPES[type].status;
    this.headers = headers ?? {};
  }
}

/**
 * A temporary failure: the caller may retry after some seconds. The contract has no type for it: it is `Internal` with
 * the status 503.
 */
export function unavailable(message: string, seconds: number, options?: { readonly cause: unknown }): HttpError {
  return new HttpError('Internal', message, {
    ...options,
    status: 503,
    headers: { 'retry-after': String(seconds) },
  });
}

/** The end of a request whose caller has gone. Nobody reads it, but its status is no failure in log and metrics. */
export function disconnected(): HttpError {
  return new HttpError('OperationTimeout', 'The caller disconnected.', { status: 499 });
}
