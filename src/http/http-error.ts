/** The error types that clients of the contract know, each with its status. */
export const STATUS = {
  InvalidPayload: 400,
  InvalidQuery: 400,
  InvalidIdentifier: 400,
  Unauthorized: 401,
  Forbidden: 403,
  ResourceNotFound: 404,
  MethodNotFound: 405,
  AlreadyExists: 409,
  PayloadTooLarge: 413,
  LimitExceeded: 413,
  UnsupportedMediaType: 415,
  RateLimited: 429,
  Internal: 500,
  OperationTimeout: 504,
} as const;

export type ErrorType = keyof typeof STATUS;

export interface HttpErrorOptions {
  /** The type's own unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes to the log, never to the caller. */
  readonly cause?: unknown;
}

/** What a request is refused with; `message` is read by the caller. */
export class HttpError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: ErrorType, message: string, { status, headers, cause }: HttpErrorOptions = {}) {
    super(message, { cause });
    this.name = 'HttpError';
    this.type = type;
    this.status = status ?? STATUS[type];
    this.headers = headers ?? {};
  }
}

/** Too much to do at the moment. The contract has no type for it: `Internal`, with a status that tells when to come back. */
export function unavailable(message: string, seconds: number, options?: { readonly cause: unknown }): HttpError {
  return new HttpError('Internal', message, {
    ...options,
    status: 503,
    headers: { 'retry-after': String(seconds) },
  });
}
