import type { FastifyRequest } from 'fastify';
import type { Host, Token } from '../index.js';
import { HttpError } from './http-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token came with the request; null without a valid one. */
    caller: Token | null;
  }
}

/** The scheme counts in any case; what follows it is the token. */
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

export async function callerOf(request: FastifyRequest, host: Host): Promise<Token | null> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return (token !== undefined && (await host.authenticate(token))) || null;
}

/** The request's caller; a request without one is refused. */
export function required(request: FastifyRequest): Token {
  if (request.caller) return request.caller;
  const reason =
    request.headers.authorization === undefined
      ? 'Send a token, as "Authorization: Bearer <token>"'
      : 'The token is unknown, revoked or expired, or not sent as "Authorization: Bearer <token>"';
  throw new HttpError('Unauthorized', `${reason}; waymark token create makes one.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
