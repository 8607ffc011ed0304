import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.js';

/** The address that a caller reaches the service by, without a slash at the end. */
export function baseUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  if (/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(request.host)) return `${request.protocol}://${request.host}`;
  throw new HttpError('InvalidQuery', 'Host must be the name that the service is called by.');
}
