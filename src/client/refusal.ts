import { z } from 'zod';
import { WaymarkError, type WaymarkErrorCode } from '../domain/errors.js';
import { jsonOf, type Reply } from './reply.js';

/** What a path that leads nowhere means, by what was asked for. */
export type Missing = 'FILE_MISSING' | 'BOT_MISSING' | 'WORKSPACE_MISSING' | 'UPLOAD_MISSING';

/** The contract's error body; `metadata.code` tells which of several things is missing, and what the contract has no type for. */
const schema = z.looseObject({
  id: z.string(),
  code: z.number(),
  type: z.string(),
  message: z.string().min(1),
  metadata: z
    .object({ code: z.enum(['FILE_MISSING', 'BOT_MISSING', 'WORKSPACE_MISSING', 'UPLOAD_MISSING', 'BUSY']).optional() })
    .optional()
    .catch(undefined),
});

const OF_TYPE: Readonly<Partial<Record<string, WaymarkErrorCode | 'MISSING'>>> = {
  InvalidPayload: 'INVALID_ARGUMENT',
  InvalidQuery: 'INVALID_ARGUMENT',
  InvalidIdentifier: 'INVALID_ARGUMENT',
  InvalidDataFormat: 'INVALID_ARGUMENT',
  PayloadTooLarge: 'INVALID_ARGUMENT',
  LimitExceeded: 'INVALID_ARGUMENT',
  UnsupportedMediaType: 'INVALID_ARGUMENT',
  Unauthorized: 'UNAUTHORIZED',
  Forbidden: 'FORBIDDEN',
  QuotaExceeded: 'FORBIDDEN',
  ResourceNotFound: 'MISSING',
  ReferenceNotFound: 'MISSING',
  ResourceGone: 'MISSING',
  RateLimited: 'RATE_LIMITED',
};

/**
 * The error that a reply other than 2xx stands for: the server's message under the code that the engine has for it, with
 * the body as `cause`. `server` is its address; `secret` is put out of whatever the server says.
 */
export function refusal(
  reply: Reply,
  { missing, server, secret }: { missing: Missing; server: string; secret: string },
): WaymarkError {
  const cause = jsonOf({ ...reply, text: reply.text.replaceAll(secret, '[token]') });
  const body = schema.safeParse(cause).data;
  if (!body) return unexplained(reply, server);
  const code = (Object.hasOwn(OF_TYPE, body.type) && OF_TYPE[body.type]) || 'SERVER_FAILED';
  const told = body.metadata?.code;
  if (told === 'BUSY') return new WaymarkError('BUSY', body.message, { cause });
  const known = code === 'MISSING' ? (told ?? missing) : code;
  return new WaymarkError(known, body.message, { cause });
}

/** Something between here and the server answered, or it is no Waymark server. */
function unexplained({ status }: Reply, server: string): WaymarkError {
  const answered = `The server at ${server} answered ${status} without the reason`;
  if (status === 414 || status === 431) {
    const message = `The request is longer than the server at ${server} takes: give fewer tags or ids.`;
    return new WaymarkError('INVALID_ARGUMENT', message);
  }
  if (status >= 500) {
    return new WaymarkError('SERVER_FAILED', `${answered}: look into its log, or try again later.`);
  }
  if (status < 400) {
    const message = `The server at ${server} sends on to another address (${status}): give createClient that one as apiUrl.`;
    return new WaymarkError('RESPONSE_INVALID', message);
  }
  return new WaymarkError('RESPONSE_INVALID', `${answered}: check that apiUrl is the address of a Waymark server.`);
}
