import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeExcess } from '../../domain/excess.js';
import { KB, LIMITS, type Limit } from '../../domain/limits.js';
import { HttpError } from '../errors/http-error.js';
import { MONITORING_PATHS } from '../monitoring/health.js';
import { bytesToArrive } from './body-time.js';
import { whenOver } from './when-over.js';

/** Bytes of an upload or a download that are in memory at a time: one part is on its way, and one in the database. */
const STREAMED = 512 * KB;

/**
 * Bounds the bytes that a connection, a token and a bot have in memory at a time: bodies, from before they arrive until
 * they are answered, and answers until they are read. One request alone is always within them.
 */
export function limitBytesInFlight(app: FastifyInstance): void {
  const held = new Map<unknown, number>();
  const add = (owner: unknown, bytes: number) => {
    const sum = (held.get(owner) ?? 0) + bytes;
    if (sum === 0) held.delete(owner);
    else held.set(owner, sum);
  };
  const hold = (request: FastifyRequest, reply: FastifyReply, bytes: number) => {
    const owners = ownersOf(request).map(([owner]) => owner);
    for (const owner of owners) add(owner, bytes);
    whenOver(reply, () => {
      for (const owner of owners) add(owner, -bytes);
    });
  };
  // Once it is known whose body it is, and before a byte of it is read.
  app.addHook('preParsing', async (request, reply) => {
    const bytes = bytesHeld(request);
    if (MONITORING_PATHS.includes(request.routeOptions.url ?? '')) return;
    // Reading is refused, too, to a caller who leaves answers unread; but not to the others of its bot.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const checked = ownersOf(request).filter(([, limit]) => !(isRead && limit === LIMITS.botBytes));
    for (const [owner, limit] of checked) check(limit, { before: held.get(owner) ?? 0, bytes });
    if (bytes > 0) hold(request, reply, bytes);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // Encoded here, once: Fastify counts the bytes of a string, and Node encodes it when it writes.
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (body instanceof Uint8Array) hold(request, reply, body.length);
    return body;
  });
}

function ownersOf({ socket, caller, targetId }: FastifyRequest): (readonly [owner: unknown, limit: Limit])[] {
  return [
    [socket, LIMITS.connectionBytes],
    ...(caller ? [[caller.id, LIMITS.tokenBytes] as const] : []),
    ...(targetId ? [[targetId, LIMITS.botBytes] as const] : []),
  ];
}

/** Bytes of a body, or of an answer in parts, that are in memory at a time. */
function bytesHeld(request: FastifyRequest): number {
  const { isStreamed, isAnsweredInParts } = request.routeOptions.config;
  if (isAnsweredInParts) return STREAMED;
  const bytes = bytesToArrive(request);
  return isStreamed ? Math.min(bytes, STREAMED) : bytes;
}

function check(limit: Limit, { before, bytes }: { before: number; bytes: number }): void {
  if (before === 0 || before + bytes <= limit.value) return;
  const excess = describeExcess({ limit, given: before + bytes });
  throw new HttpError('RateLimited', `${excess}: wait until earlier requests are answered, and read the answers.`, {
    headers: { 'retry-after': '1' },
  });
}
