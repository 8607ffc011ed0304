import { z } from 'zod';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { WaymarkClient } from './client.js';
import { Connection } from './connection.js';
import { realWait, type Wait } from './retry.js';

export interface ClientOptions {
  /** Where the server is: http or https, such as `http://127.0.0.1:7333`, or a path behind a proxy. */
  readonly apiUrl: string;
  /** It appears in no message, and goes to no other address. */
  readonly token: string;
  /** Needed for bots. */
  readonly workspaceId?: string | undefined;
  /** Needed for files. */
  readonly botId?: string | undefined;
  /** In place of the global one: for a proxy, a pool, certificates. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for each request, an upload too: 30,000 unless given. */
  readonly timeout?: number | undefined;
  /**
   * How often a request is sent again, at most: 0 to 10, 2 unless given. Only where that is safe: what was refused for
   * its rate (after the wait that the server names, if that is a minute at most), and what only reads and got no answer
   * or 502, 503 or 504.
   */
  readonly retries?: number | undefined;
}

const id = z
  .string()
  .regex(/^[\x21-\x7e]{1,100}$/)
  .optional()
  .describe('an id: 1 to 100 ASCII characters without blanks');

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

/** A client of a Waymark server, or of one that keeps the same contract. Throws `INVALID_ARGUMENT`; sends nothing yet. */
export function createClient(options: ClientOptions): WaymarkClient {
  return createClientThatWaits(options, realWait);
}

/** Not part of the package: tests give a wait that takes no time. */
export function createClientThatWaits(options: ClientOptions, wait: Wait): WaymarkClient {
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
      wait,
    }),
  );
}

/** Without a slash at its end. Its value is not shown when it is wrong: it may hold a password. */
function validApiUrl(given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  if (isPlain) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    'apiUrl must be the http or https address of a server, such as http://127.0.0.1:7333, without user, query or fragment.',
  );
}

/** The characters of RFC 6750. Its value is not shown when it is wrong. */
function validToken(given: unknown): string {
  if (typeof given === 'string' && /^[\w.~+/=-]{1,1000}$/.test(given)) return given;
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    'token must be a text of letters, digits and -._~+/=, as "waymark token create" shows it.',
  );
}
