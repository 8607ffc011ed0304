import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { WaymarkClient } from './client.js';
import { Connection } from './connection.js';
import { type Clock, realClock } from './retry.js';

/** Options of a client. */
export interface ClientOptions {
  /** The server's http or https address, such as `http://127.0.0.1:7333`; it may have a path. */
  readonly apiUrl: string;
  /** Appears in no error message, and is sent only to `apiUrl`. */
  readonly token: string;
  /** Required for bots. */
  readonly workspaceId?: string | undefined;
  /** Required for files. */
  readonly botId?: string | undefined;
  /** Replaces the global fetch: for a proxy, a pool, certificates. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for each request, uploads included. Defaults to 30,000. */
  readonly timeout?: number | undefined;
  /**
   * The maximum number of retries of a request: 0 to 10. Defaults to 2. Only safe requests are sent again: rate-limited
   * ones, and GETs without an answer or with a 502, 503 or 504. If the server says how long to wait, the client waits
   * that long, or fails at once if that is more than a minute.
   */
  readonly retries?: number | undefined;
}

const id = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/)
  .optional()
  .describe('an id of 1 to 100 ASCII characters without spaces');

const schema = z.object({
  workspaceId: id,
  botId: id,
  fetch: z
    .custom<typeof globalThis.fetch>((given) => typeof given === 'function')
    .optional()
    .describe('a function like the global fetch'),
  timeout: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(30_000)
    .describe('an integer of milliseconds from 1 to 2147483647'),
  retries: z.int().min(0).max(10).default(2).describe('an integer from 0 to 10'),
});

/** Creates a client of a Waymark server. Sends nothing yet. Throws `INVALID_ARGUMENT`. */
export function createClient(options: ClientOptions): WaymarkClient {
  return createClientWithClock(options, realClock);
}

/** `createClient` with a clock of the caller, for tests that must not wait. */
export function createClientWithClock(options: ClientOptions, clock: Clock): WaymarkClient {
  const { workspaceId, botId, fetch, ...limits } = validate(schema, options);
  const { apiUrl, token } = options;
  return new WaymarkClient(
    new Connection({
      apiUrl: validApiUrl(apiUrl),
      token: validToken(token),
      workspaceId,
      botId,
      fetch: fetch ?? globalThis.fetch,
      ...limits,
      clock,
    }),
  );
}

/** The address without a slash at its end. The error does not show the value: it may contain a password. */
function validApiUrl(given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && !(url.username || url.password || url.search || url.hash);
  if (isPlain) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    'apiUrl must be an http or https address without user, query or fragment, such as http://127.0.0.1:7333.',
  );
}

/** The characters of RFC 6750. The error does not show the value. */
function validToken(given: unknown): string {
  if (typeof given === 'string' && /^[\w.~+/=-]{1,1000}$/.test(given)) return given;
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    'token must be a string of letters, digits and -._~+/=, as "waymark token create" prints it.',
  );
}
