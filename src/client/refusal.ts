import { codeOfType, PRECISE_CODES } from '../contract/error-types.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { jsonOf, type Reply } from './reply.js';

/** The codes that a 404 can stand for if its body does not say. */
export type Missing = (typeof MISSING)[number];

const MISSING = [
  'FILE_MISSING',
  'BOT_MISSING',
  'WORKSPACE_MISSING',
  'UPLOAD_MISSING',
  'KNOWLEDGE_BASE_MISSING',
] as const;

/** The contract's error body. `metadata.code` is more precise than `type`: it names which resource is missing. */
const schema = z.looseObject({
  id: z.string(),
  code: z.number(),
  type: z.string(),
  message: z.string().min(1),
  metadata: z
    .object({ code: z.enum([...MISSING, ...PRECISE_CODES]).optional() })
    .optional()
    .catch(undefined),
});

/**
 * The error for a reply other than 2xx: the server's message with the library's code, and the body as `cause`. `server`
 * is its address; `secret` is removed from the body.
 */
export function refusal(
  reply: Reply,
  { missing, server, secret }: { missing: Missing; server: string; secret: string },
): WaymarkError {
  const cause = jsonOf({ ...reply, text: reply.text.replaceAll(secret, '[token]') });
  const body = schema.safeParse(cause).data;
  if (!body) return unexplained(reply, server);
  const precise = body.metadata?.code;
  const code = codeOfType(body.type);
  const isMissing = MISSING.some((each) => each === precise);
  const raised = code === 'MISSING' ? (precise ?? missing) : isMissing ? code : (precise ?? code);
  return new WaymarkError(raised, body.message, { cause });
}

/** A reply without an error body: it comes from a proxy, or from another kind of server. */
function unexplained({ status }: Reply, server: string): WaymarkError {
  if (status === 414 || status === 431) {
    const message = `The request is longer than the server at ${server} accepts: pass fewer tags or ids.`;
    return new WaymarkError('INVALID_ARGUMENT', message);
  }
  if (status === 413) {
    const next = 'raise its limit, or send less';
    const message = `The server at ${server}, or a proxy before it, refuses content of this size (413): ${next}.`;
    return new WaymarkError('INVALID_ARGUMENT', message);
  }
  if (status === 429) {
    const message = `The server at ${server}, or a proxy before it, limits requests (429): send fewer at once.`;
    return new WaymarkError('RATE_LIMITED', message);
  }
  const answered = `The server at ${server} answered ${status} without a reason`;
  if (status >= 500 || status === 408) {
    return new WaymarkError('SERVER_FAILED', `${answered}: see its log, or try again later.`);
  }
  if (status < 400) {
    const message = `The server at ${server} redirects to another address (${status}): pass that address as apiUrl.`;
    return new WaymarkError('RESPONSE_INVALID', message);
  }
  return new WaymarkError('RESPONSE_INVALID', `${answered}: check that apiUrl is the address of a Waymark server.`);
}
