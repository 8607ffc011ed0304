import { LIMITS } from '../domain/limits.js';

/** Limits of connections; times are in milliseconds. */
export interface ConnectionLimits {
  /** Maximum number of open connections. */
  readonly connections: number;
  /** For a whole request to arrive. */
  readonly requestTimeout: number;
  /** For its headers to arrive. */
  readonly headersTimeout: number;
  /** Inactivity within a request or its answer. */
  readonly connectionTimeout: number;
  /** Inactivity between requests. */
  readonly keepAliveTimeout: number;
  /** Between checks for slow requests. */
  readonly checkInterval: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 1024,
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionTimeout: 120_000,
  keepAliveTimeout: 72_000,
  checkInterval: 5_000,
};

/** Options of a server. */
export interface ServerOptions {
  /** The base URL that callers use, such as `https://search.example.com`. Defaults to that of each request. */
  readonly publicUrl?: string | undefined;
  /** Origins, such as `https://docs.example.com`, whose pages may call the service. Defaults to none. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Whether a browser on this machine is served the search page, which needs no token. Defaults to true. */
  readonly page?: boolean | undefined;
  /** Whether to log the text of queries. Defaults to false. */
  readonly logQueries?: boolean | undefined;
  /** Takes log lines. Defaults to no log. */
  readonly log?: { write(line: string): void } | undefined;
  /** Whether to log requests in addition to errors. Defaults to true. */
  readonly logRequests?: boolean | undefined;
  /** Maximum size of an upload, in bytes. Defaults to 100 MB. */
  readonly uploadLimit?: number | undefined;
  /** Requests per minute for each token, and for each address without a token. Defaults to 6,000. */
  readonly requestsPerMinute?: number | undefined;
  /** Maximum number of concurrent searches; a bot has at most half of them, rounded up. Defaults to 200. */
  readonly searchesAtOnce?: number | undefined;
  /** Files waiting for indexing above which uploads are refused. Defaults to 10,000. */
  readonly pendingLimit?: number | undefined;
  /** Milliseconds that an answer may take. Defaults to 30,000. */
  readonly answerTimeout?: number | undefined;
  /** Milliseconds for which a closing server waits for running requests. Defaults to 8,000. */
  readonly grace?: number | undefined;
  /** Each defaults to a value that suits a public service. */
  readonly connectionLimits?: Partial<ConnectionLimits> | undefined;
}

/** The options with their defaults. */
export function settingsOf(options: ServerOptions) {
  const { publicUrl, corsOrigins = [], page = true, logQueries = false, log, logRequests = true } = options;
  return {
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    corsOrigins,
    page,
    logQueries,
    log,
    logRequests,
    uploadLimit: options.uploadLimit ?? LIMITS.upload.value,
    requestsPerMinute: options.requestsPerMinute ?? LIMITS.requests.value,
    searchesAtOnce: options.searchesAtOnce ?? 200,
    pendingLimit: options.pendingLimit ?? 10_000,
    answerTimeout: options.answerTimeout ?? 30_000,
    grace: options.grace ?? 8000,
    connectionLimits: { ...CONNECTION_LIMITS, ...options.connectionLimits },
  };
}

/** Options with their defaults. */
export type Settings = ReturnType<typeof settingsOf>;
