/** Connections at a time, and milliseconds that one may take. */
export interface ConnectionLimits {
  readonly connections: number;
  /** For a whole request to come. */
  readonly requestTimeout: number;
  /** For its headers, before that. */
  readonly headersTimeout: number;
  /** Of silence within a request or its answer. */
  readonly connectionTimeout: number;
  /** Of silence between requests. */
  readonly keepAliveTimeout: number;
  /** Between looks at who is too slow. */
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

export interface ServerOptions {
  /** The name it is bound to: on a loopback address, only requests that name one are answered. `127.0.0.1` unless given. */
  readonly host?: string | undefined;
  /** Address that callers reach it by, such as `https://search.example.com`; the request's own unless given. */
  readonly publicUrl?: string | undefined;
  /** Whether the text of queries is logged; false unless given. */
  readonly logQueries?: boolean | undefined;
  /** Where log lines go; there are none unless given. */
  readonly log?: { write(line: string): void } | undefined;
  /** Bytes of an uploaded file at most; 10 MB unless given. */
  readonly uploadLimit?: number | undefined;
  /** Requests of a token, or of an address without one, in a minute; 6,000 unless given. */
  readonly requestsPerMinute?: number | undefined;
  /** Searches at a time; 100 unless given. */
  readonly searchesAtOnce?: number | undefined;
  /** Files that may wait to be indexed before no more are taken; 10,000 unless given. */
  readonly pendingLimit?: number | undefined;
  /** Milliseconds that an answer may take; 30,000 unless given. */
  readonly answerTimeout?: number | undefined;
  /** Each as it is unless given. */
  readonly connectionLimits?: Partial<ConnectionLimits> | undefined;
}

/** The options as they count. */
export function settingsOf(options: ServerOptions) {
  const { host = '127.0.0.1', publicUrl, logQueries = false, log } = options;
  return {
    host,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    logQueries,
    log,
    uploadLimit: options.uploadLimit ?? 10 * 1024 * 1024,
    requestsPerMinute: options.requestsPerMinute ?? 6000,
    searchesAtOnce: options.searchesAtOnce ?? 100,
    pendingLimit: options.pendingLimit ?? 10_000,
    answerTimeout: options.answerTimeout ?? 30_000,
    connectionLimits: { ...CONNECTION_LIMITS, ...options.connectionLimits },
  };
}

export type Settings = ReturnType<typeof settingsOf>;
