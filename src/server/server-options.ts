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
  };
}

export type Settings = ReturnType<typeof settingsOf>;
