import type { FastifyRequest } from 'fastify';
import type { Host, Token } from '../../index.js';
import { HttpError } from '../errors/http-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the request; null without a valid one. */
    caller: Token | null;
  }
}

/** The scheme is case-insensitive. */
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** The token of a request; null if it is missing or invalid. */
export async function authenticate(request: FastifyRequest, host: Host): Promise<Token | null> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return (token !== undefined && (await host.authenticate(token))) || null;
}

/** The request's token. Throws `Unauthorized` without a valid one. */
export function callerOf(request: FastifyRequest): Token {
  if (request.caller) return request.caller;
  const reason =
    request.headers.authorization === undefined
      ? 'The token is missing'
      : 'The token is unknown, revoked, expired or malformed';
  throw new HttpError(
    'Unauthorized',
    `${reason}: send "Authorization: Bearer <token>" with a token of "waymark token create".`,
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}
