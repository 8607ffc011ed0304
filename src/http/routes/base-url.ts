import type { FastifyRequest } from 'fastify';
import type { File } from '../../index.js';
import { HttpError } from '../errors/http-error.js';

/** The address that a caller reaches the service by, without a slash at its end. */
export function baseUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  if (/^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(request.host)) return `${request.protocol}://${request.host}`;
  throw new HttpError('InvalidQuery', 'The Host header must be a host name or an IP address, with or without a port.');
}

/** A file with the absolute address of its content. */
export function withAbsoluteUrl(base: string, file: File): File {
  return { ...file, url: `${base}${file.url}` };
}
